import type { Degradation, LostFeature } from "@askwire/protocol";

type Names = Readonly<Record<LostFeature, string>>;

const en: Names = {
  preview: "previews",
  placeholder: "the hint for own words",
  default: "the default",
  recommended: "the recommendation",
  own_text: "that only the options count",
  multi_label: "labels with a comma told apart",
  field: "the form of the answer",
  choices: "how many to choose",
  deadline: "the time limit",
  approval_options: "the ways to approve",
  edit: "the text that may be changed",
};

const zh: Names = {
  preview: "预览",
  placeholder: "自行填写的提示",
  default: "默认选项",
  recommended: "推荐选项",
  own_text: "只能选择选项",
  multi_label: "含逗号的选项的区分",
  field: "回答的格式",
  choices: "可选的数量",
  deadline: "时限",
  approval_options: "批准的方式",
  edit: "可修改的内容",
};

function listed(names: Names, separator: string) {
  const known = new Map<string, string>(Object.entries(names));
  return (degraded: readonly Degradation[] = []): string =>
    [...new Set(degraded.map(({ feature }) => known.get(feature) ?? feature))].join(separator);
}

/**
 * Lists the features that an answering client was not shown (P-XQS-3, P-XAO-6) in words, each once. Empty if nothing
 * was lost. Unknown features keep their names, which are foreign text.
 */
export const lostWords: Readonly<Record<"en" | "zh", (degraded?: readonly Degradation[]) => string>> = {
  en: listed(en, ", "),
  zh: listed(zh, "、"),
};
