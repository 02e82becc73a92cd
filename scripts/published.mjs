/** The packages that are checked and tried as archives, each after those that it needs. */
export const published = [
  "protocol",
  "server",
  "dialects",
  "agent",
  "interview",
  "trajectory",
  "postgres",
  "client",
  "adapters",
  "relays",
  "conformance-tests",
];
