export const linkSecret = "a-secret-of-all-nodes-1234567890";
export const token = "a-token-of-all-nodes-12345678901";
