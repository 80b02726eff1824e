// Types of the contract. Only this file imports the contract; when the package is packed, its declarations are replaced by the same
// types written out (packages/client/packing), so that the package depends on nothing.
import type { apiOperations, operatorOperations, streamOperations } from '@sluice/contract';

/** Input and output of a schema. Bodies are inputs: a field with a default may be absent. */
type InputOf<Schema> = Schema extends { readonly _zod: { readonly input: infer Input } } ? Input : undefined;
type OutputOf<Schema> = Schema extends { readonly _zod: { readonly output: infer Output } } ? Output : undefined;
type Member<Operation, Name extends string> = Operation extends { readonly [Key in Name]: infer Value }
  ? Value
  : undefined;
type BodyOf<Body> = Body extends { readonly schema: infer Schema }
  ?
      | InputOf<Schema>
      | (Body extends { readonly optionalMember: string } | { readonly isOptional: true } ? undefined : never)
  : undefined;
type ResponseSchemas<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends { readonly schema: infer Schema } ? Schema : never;
}[Extract<keyof Responses, 200 | 201 | 202>];
type ResultOf<Responses> = OutputOf<ResponseSchemas<Responses>> | (204 extends keyof Responses ? undefined : never);

/** The types of one operation; `undefined` for what it does not have. */
interface OperationTypes<Operation> {
  readonly params: InputOf<Member<Operation, 'params'>>;
  readonly query: QueryOf<Member<Operation, 'query'>>;
  readonly body: BodyOf<Member<Operation, 'body'>>;
  /** Body of a successful response, if it is JSON; undefined for 204. */
  readonly result: ResultOf<Member<Operation, 'responses'>>;
}

/** Value of a query string: a number or boolean where the host reads one. Numbers are also written to strings of digits, such as positions. */
type QueryValue<Input, Output> = [NonNullable<Output>] extends [number]
  ? number | Extract<Input, undefined>
  : [NonNullable<Output>] extends [boolean]
    ? boolean | Extract<Input, undefined>
    : string extends Input
      ? Input | number
      : Input;
type QueryOf<Schema> = Schema extends { readonly _zod: { readonly input: infer Input; readonly output: infer Output } }
  ? { readonly [Name in keyof Input]: QueryValue<Input[Name], Name extends keyof Output ? Output[Name] : unknown> }
  : undefined;

type TypesOf<Operations> = { readonly [Id in keyof Operations]: OperationTypes<Operations[Id]> };

/** Operations of the stream host, by operationId. */
export type StreamOperationTypes = TypesOf<typeof streamOperations>;
/** Operations of the API host, by operationId. The last ones are for the operator of the deployment. */
export type ApiOperationTypes = TypesOf<typeof apiOperations & typeof operatorOperations>;

/** Receipt of a query. */
export type Receipt = StreamOperationTypes['getQuery']['result'];
/** Event of `POST /query`. */
export type StreamEvent = OutputOf<(typeof streamOperations)['streamQuery']['responses'][200]['schema']>;
type MetadataEvent = Extract<StreamEvent, { type: 'metadata' }>;
/** Column of a result: a name that is unique in it, and Trino's name of the type. */
export type Column = MetadataEvent['columns'][number];
