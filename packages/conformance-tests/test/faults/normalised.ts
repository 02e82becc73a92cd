/** A UUID, or an `answer_id` of our client. */
const ID = /[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}|[0-9a-f]{8}-\d+(?=\\*")/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g;

/**
 * Makes texts of values that are equal except for times and ids. An id becomes its place among earlier ids. A
 * connection has no place, since a client has many.
 */
export function normalised(): (value: unknown) => string {
  const places = new Map<string, string>();
  const place = (id: string) => {
    if (!places.has(id)) places.set(id, `<id ${places.size + 1}>`);
    return places.get(id) as string;
  };
  return (value) => JSON.stringify(value, withoutConnection).replace(TIME, "<time>").replace(ID, place);
}

function withoutConnection(key: string, value: unknown): unknown {
  if (key === "timestamp" || key === "duration_ms") return 0;
  if (key !== "connection") return value;
  return "<connection>";
}
