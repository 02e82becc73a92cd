import { addressedName, type GrantedRole, type PersonRoles } from "../src/index.js";

/** Roles that a test grants and takes away, as an operator does. */
export interface RoleBook extends PersonRoles {
  grant(name: string, role: string, may?: GrantedRole["may"]): void;
  revoke(name: string): void;
}

export function roleBook(): RoleBook {
  const granted = new Map<string, GrantedRole[]>();
  const watchers = new Set<() => void>();
  const change = (name: string, roles: GrantedRole[]) => {
    granted.set(name, roles);
    for (const changed of watchers) changed();
  };
  return {
    of: (principal) => granted.get(addressedName(principal)) ?? [],
    watch(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    grant: (name, role, may = "answer") => change(name, [...(granted.get(name) ?? []), { role, may }]),
    revoke: (name) => change(name, []),
  };
}
