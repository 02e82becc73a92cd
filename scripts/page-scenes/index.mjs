// The states of the page, in the order in which a person may see them. The pictures of `capture-web.mjs` and the test
// that looks at all of them with axe walk this list.
import { approvalScenes } from "./approvals.mjs";
import { deliveryScenes } from "./deliveries.mjs";
import { placeScenes } from "./places.mjs";
import { questionScenes } from "./questions.mjs";
import { talkScenes } from "./talks.mjs";

/** @type {readonly import("./scene.mjs").Scene[]} */
export const pageScenes = [
  ...talkScenes,
  ...questionScenes,
  ...approvalScenes,
  ...deliveryScenes,
  ...placeScenes,
];
