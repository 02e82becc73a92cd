import { useEffect, useState } from "react";
import type { Visits } from "../visits/visits.js";

/** The origins of the other servers that the page may reach; none until they are known. */
export function useReachable(places: Pick<Visits, "reachable">): readonly string[] {
  const [origins, setOrigins] = useState<readonly string[]>([]);
  useEffect(() => void places.reachable().then(setOrigins), [places]);
  return origins;
}
