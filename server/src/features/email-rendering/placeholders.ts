/**
 * Texts that templates, our earlier ones and other people's, ask the writer to replace. Whole instructions and set phrases alone: a shop may well
 * write that something is here, or ask for a message. Every repetition is bounded, blanks too (those of a Liquid tag come through as they are),
 * so that a long text takes no more than one pass.
 */
const PLACEHOLDERS: readonly RegExp[] = [
  /ここに[^\s。、<>]{0,12}(?:本文|件名|文章|文|テキスト|タイトル|見出し|メッセージ|内容|説明)[^\s。、<>]{0,8}?(?:書いて|書く|入力|入れて|入れる|入ります|記入|記載)(?!され|し(?:ました|てい|てお|てあ)|いただ|い[たまる]|あ[りる]|お[りく])[^\s。、<>]{0,8}/u,
  /ここに(?:件名|本文|テキスト|タイトル|見出し)(?![^\s。、<>])/u,
  /^[ \t]{0,4}(?:本文|件名|テキスト)を(?:ここに)?(?:入力|記入)してください[。.]?[ \t]{0,4}$/mu,
  /\b(?:write|type|enter|add|insert|put)[ \t]{1,4}(?:(?:your|the)[ \t]{1,4})?(?:own[ \t]{1,4})?(?:message|text|content|subject|title|headline|copy)[ \t]{1,4}here\b/i,
  /^[ \t]{0,4}your[ \t]{1,4}(?:message|text|content|subject|headline)[ \t]{1,4}here[.!]?[ \t]{0,4}$/im,
  /[[［](?:write|type|insert|text|content|subject|message)[ \t]{1,4}here[\]］]/i,
  /^[ \t]{0,4}[[［](?:write|type|insert|text|content|subject|message)[\]］][ \t]{0,4}$/im,
  /\blorem[ \t]{1,4}ipsum\b/i,
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
    const text = found?.[0].trim()
    return found && text ? [{ text, at: found.index + found[0].indexOf(text) }] : []
  })
