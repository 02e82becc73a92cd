// The words of differences in Chinese.
import { type ChangeWords, inBytes } from "./change-en.js";

export const changeChinese: ChangeWords = {
  unchanged: (count) => `… ${count} 行未改动`,
  more: (next, left) => (left === next ? `显示最后 ${next} 行` : `再显示 ${next} 行（还剩 ${left} 行）`),
  notShown: (count) => `还有 ${count} 行没有显示。请先查看，或再点一次直接批准。`,
  openInEditor: "在差异编辑器中打开",
  binary: (before, after, isPart) =>
    before === 0 && !isPart
      ? `新的二进制文件，约 ${inBytes(after)}。`
      : `二进制文件${isPart ? "的一部分" : ""}：修改前约 ${inBytes(before)}，修改后约 ${inBytes(after)}。`,
  asText: "按文本显示",
};
