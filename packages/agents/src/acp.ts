// The face with agents of the Agent Client Protocol; the SDK of that protocol is an optional peer.
export {};
