/**
 * What templates, ours of before and other people's, ask to be written over. Whole instructions and set phrases alone: a shop may well
 * write that something is here. Each is bounded, so that a long text takes no more than one pass.
 */
const PLACEHOLDERS: readonly RegExp[] = [
  /ここに[^\s。、<>]{0,12}(?:本文|件名|文章|文|テキスト|タイトル|見出し|メッセージ|内容|説明)[^\s。、<>]{0,8}?(?:書いて|書く|入力|入れて|入れる|入ります|記入|記載)[^\s。、<>]{0,8}/u,
  /ここに(?:件名|本文|テキスト|タイトル|見出し)(?![^\s。、<>])/u,
  /(?:本文|件名|テキスト)を(?:ここに)?(?:入力|記入)してください/u,
  /\b(?:write|type|enter|add|insert|put)[ \t]+(?:your|the)?[ \t]*(?:own[ \t]+)?(?:message|text|content|subject|title|headline|copy)[ \t]+here\b/i,
  /\byour[ \t]+(?:message|text|content|subject|headline)[ \t]+here\b/i,
  /[[［](?:write|type|insert|text|content|subject|message)(?:[ \t]+here)?[\]］]/i,
  /\blorem[ \t]+ipsum\b/i,
]

export interface Placeholder {
  text: string
  /** Where it begins. */
  at: number
}

/** The first of each kind. */
export const placeholdersIn = (source: string): Placeholder[] =>
  PLACEHOLDERS.flatMap((pattern) => {
    const found = pattern.exec(source)
    return found ? [{ text: found[0], at: found.index }] : []
  })
