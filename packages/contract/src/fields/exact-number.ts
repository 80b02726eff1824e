/** A number of a JSON body by its digits, where a JavaScript number would lose some of them. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}
