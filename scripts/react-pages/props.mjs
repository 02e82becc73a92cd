// The props of the components of @askwire/react, by their types: name, type and docstring.
import { fileURLToPath } from "node:url";
import ts from "typescript";

const folder = fileURLToPath(new URL("../../packages/react/", import.meta.url));

/** Reads the sources of the package, and returns what gives the rows of the table of a type's members. */
export function propTables() {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const config = ts.getParsedCommandLineOfConfigFile(`${folder}tsconfig.json`, {}, host);
  if (config === undefined) throw new Error(`${folder}tsconfig.json cannot be read`);
  const { fileNames, options } = config;
  const program = ts.createProgram(fileNames, { ...options, composite: false, noEmit: true });
  const checker = program.getTypeChecker();
  const sources = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${folder}src/`));
  const declared = sources.flatMap(({ statements }) => statements.filter(ts.isInterfaceDeclaration));

  /** @param {string} name of an exported interface. @returns {readonly (readonly string[])[]} */
  return (name) => {
    const found = declared.find((one) => one.name.text === name);
    if (found === undefined) throw new Error(`packages/react has no interface ${name}`);
    const members = checker.getPropertiesOfType(checker.getTypeAtLocation(found));
    const rows = members.map((member) => row(checker, member, `${name}.${member.name}`));
    const isOptional = (/** @type {readonly string[]} */ [prop = ""]) => prop.endsWith("?`");
    return [...rows.filter((one) => !isOptional(one)), ...rows.filter(isOptional)];
  };
}

/** The type as it is written, where that says it without the parameters of a type. @type {(declared: ts.Declaration | undefined) => string | undefined} */
function writtenType(declared) {
  if (declared === undefined || !ts.isPropertySignature(declared) || declared.type === undefined) return;
  const { parent, type } = declared;
  const parameters = ts.isInterfaceDeclaration(parent) ? (parent.typeParameters ?? []) : [];
  const text = type.getText().replaceAll(/\s+/g, " ");
  return parameters.some(({ name }) => new RegExp(`\\b${name.text}\\b`).test(text)) ? undefined : text;
}

/** @param {ts.TypeChecker} checker @param {ts.Symbol} member @param {string} place */
function row(checker, member, place) {
  const says = ts
    .displayPartsToString(member.getDocumentationComment(checker))
    .replaceAll(/\s+/g, " ")
    .trim();
  if (says === "") throw new Error(`${place} has no docstring, so docs/react.md cannot say what it is`);
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(member));
  const text = writtenType(member.valueDeclaration) ?? checker.typeToString(type);
  const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
  return [
    `\`${member.name}${isOptional ? "?" : ""}\``,
    `\`${text.replaceAll("|", "\\|")}\``,
    says.replaceAll("|", "\\|"),
  ];
}
