// Writes the types of src/contract-types.ts out, without the contract and zod, so that the packed package depends on nothing.
import ts from 'typescript';
import { apiOperations, operatorOperations, streamOperations } from '../../contract/dist/index.js';

const OPERATIONS = {
  StreamOperationTypes: streamOperations,
  ApiOperationTypes: { ...apiOperations, ...operatorOperations },
};
const DEPTH_MAX = 40;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const indent = (text) => text.replaceAll('\n', '\n  ');
const memberName = (name) => (IDENTIFIER.test(name) ? name : JSON.stringify(name));

/** Returns a function that writes a type with all its members in place of names. */
function createPrinter(checker, origin) {
  function print(type, depth = 0) {
    if (depth > DEPTH_MAX) throw new Error(`${checker.typeToString(type)} is nested too deeply.`);
    if (type.isUnion()) return printUnion(type.types, depth);
    if (checker.isTupleType(type))
      return `[${checker
        .getTypeArguments(type)
        .map((each) => print(each, depth + 1))
        .join(', ')}]`;
    if (checker.isArrayType(type)) return `readonly (${print(checker.getTypeArguments(type)[0], depth + 1)})[]`;
    if (type.isIntersection() || (type.flags & ts.TypeFlags.Object) !== 0) return printObject(type, depth);
    return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  }

  function printUnion(types, depth) {
    const texts = new Set(types.map((each) => print(each, depth + 1)));
    // `boolean` is the union of its two literals.
    if (texts.has('true') && texts.has('false')) {
      texts.delete('true');
      texts.delete('false');
      texts.add('boolean');
    }
    return [...texts].join(' | ');
  }

  function printObject(type, depth) {
    if (type.getCallSignatures().length > 0) throw new Error(`${checker.typeToString(type)} is a function.`);
    const members = checker.getIndexInfosOfType(type).map((info) => {
      return `readonly [key: ${print(info.keyType)}]: ${print(info.type, depth + 1)};`;
    });
    for (const member of checker.getPropertiesOfType(type)) {
      const optional = (member.flags & ts.SymbolFlags.Optional) === 0 ? '' : '?';
      const text = print(checker.getTypeOfSymbolAtLocation(member, origin), depth + 1);
      members.push(`readonly ${memberName(member.name)}${optional}: ${text};`);
    }
    return members.length === 0 ? 'Record<string, never>' : `{\n  ${indent(members.join('\n'))}\n}`;
  }
  return print;
}

/** Writes an interface with one commented member per operation. */
function printOperations(name, type, print, checker, origin) {
  const members = checker.getPropertiesOfType(type).map((member) => {
    const { summary, method, path } = OPERATIONS[name][member.name];
    const text = print(checker.getTypeOfSymbolAtLocation(member, origin));
    return `/** ${summary}. \`${method} ${path}\` */\nreadonly ${member.name}: ${text};`;
  });
  return `export interface ${name} {\n  ${indent(members.join('\n'))}\n}`;
}

/** Returns the declarations that replace `dist/contract-types.d.ts`. */
export function printContractTypes(file) {
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
  };
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const print = createPrinter(checker, source);
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
  const declarations = symbols.map((symbol) => {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    if (symbol.name in OPERATIONS) return printOperations(symbol.name, type, print, checker, source);
    return `export type ${symbol.name} = ${print(type)};`;
  });
  if (declarations.length === 0) throw new Error(`${file} exports no types. Build the package first.`);
  return `${declarations.join('\n\n')}\n`;
}
