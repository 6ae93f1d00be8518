import { escapeHtml, page, type SandboxLanguage } from '../page.ts'

/** A page for what the platform refuses to show. The reason is the platform's own wording, kept in English. */
export function refused(language: SandboxLanguage, reason: string): string {
  const title = language === 'ja' ? '開けませんでした' : 'This cannot be opened'
  return page({
    title,
    body: `<section class="card"><h1>${title}</h1><p>${escapeHtml(reason)}</p></section>`,
    lang: language,
  })
}
