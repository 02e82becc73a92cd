// The fields of a definition of the schema, for a table: one row each, those of objects inside it by their path.

/**
 * The rows of a definition, in the order of the schema, each with its profile.
 *
 * @param name the definition's name.
 * @param schema the definition itself.
 * @param meanings the meanings of its fields, by path.
 */
export function fieldRows(name, schema, { fields = {}, extended = {} }) {
  const known = { ...fields, ...extended };
  const isExtended = (path) => Object.hasOwn(extended, path);
  const rows = [];
  for (const [variant, object] of variants(schema)) {
    for (const row of rowsOf(object)) {
      if (variant !== undefined && row.path === "type") continue;
      const meaning = known[row.path];
      if (meaning === undefined)
        throw new Error(`scripts/messages/meanings.mjs: what is ${row.path} of ${name}?`);
      rows.push({ ...row, variant, meaning, profile: isExtended(row.path) ? "extended" : "base" });
    }
  }
  const unknown = Object.keys(known).filter((path) => !rows.some((row) => row.path === path));
  if (unknown.length > 0)
    throw new Error(`scripts/messages/meanings.mjs: ${name} has no ${unknown.join(", ")}`);
  return rows;
}

/** The rows as a table. */
export function table(rows) {
  const hasVariants = rows.some(({ variant }) => variant !== undefined);
  const cells = rows.map(({ variant, path, type, required, meaning }) => [
    ...(hasVariants ? [`\`"${variant}"\``] : []),
    `\`${path}\``,
    type,
    required,
    meaning,
  ]);
  const head = [...(hasVariants ? ["`type`"] : []), "field", "is", "required", "meaning"];
  return [head, head.map(() => "---"), ...cells]
    .map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

/** The objects that a definition may be, each with its `type`; one without, where there is no choice. */
function variants(schema) {
  if (schema.anyOf === undefined) return [[undefined, schema]];
  const objects = schema.anyOf.filter(({ properties }) => properties.type.const !== undefined);
  return objects.map((object) => [object.properties.type.const, object]);
}

function rowsOf({ properties = {}, required = [] }, before = "") {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = before + key;
    const row = { path, type: typeOf(schema), required: requirement(schema, required.includes(key)) };
    const { object, list } = inside(schema);
    return [row, ...(object === undefined ? [] : rowsOf(object, `${path}${list ? "[]" : ""}.`))];
  });
}

const requirement = (schema, isRequired) =>
  isRequired ? "yes" : "default" in schema ? `no, else \`${JSON.stringify(schema.default)}\`` : "no";

/** The object with named fields that a value is, or that its list has. */
function inside(schema) {
  const [found] = alternatives(schema).filter(({ properties, items }) => properties ?? items);
  if (found?.items !== undefined) return { ...inside(found.items), list: true };
  return Object.keys(found?.properties ?? {}).length > 0 ? { object: found } : {};
}

const alternatives = (schema) => schema.anyOf ?? [schema];

/** The type of a value in plain words, with its bounds or allowed values. */
function typeOf(schema) {
  const { type } = schema;
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" or ");
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(" or ");
  if (schema.$ref !== undefined) return reference(schema);
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  switch (type) {
    case "string":
      return schema.maxLength === undefined
        ? "text"
        : `text of ${schema.minLength} to ${schema.maxLength} characters`;
    case "integer":
      return `whole number${schema.minimum > Number.MIN_SAFE_INTEGER ? ` from ${schema.minimum}` : ""}`;
    case "boolean":
      return "true or false";
    case "array":
      return `list of ${plural(schema.items)}`;
    case "object":
      return objectOf(schema);
    default:
      return type ?? "any JSON value";
  }
}

const reference = ({ $ref }) => {
  const name = $ref.replace("#/$defs/", "");
  return `[${name}](#${name})`;
};

function plural(schema) {
  const word = typeOf(schema);
  return schema.$ref === undefined ? `${word}s` : word;
}

function objectOf({ properties = {}, additionalProperties = {} }) {
  if (Object.keys(properties).length > 0) return "object";
  return Object.keys(additionalProperties).length === 0
    ? "object with any members"
    : `object of ${plural(additionalProperties)}`;
}
