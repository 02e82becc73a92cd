/** An object without its undefined members: those that may be undefined are optional. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Copies an object without its undefined members. The others keep their order. */
export function defined<T extends object>(members: T): Defined<T> {
  const kept: { [K in keyof T]?: unknown } = {};
  for (const name in members) if (members[name] !== undefined) kept[name] = members[name];
  return kept as Defined<T>;
}
