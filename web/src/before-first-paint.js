// Runs before the application: a file, as the content security policy allows no inline script.
;(() => {
  // zod would otherwise try `new Function`, which the policy forbids and the browser reports; it must be told before the first
  // schema is made, and the bundle's order of modules is not ours to choose.
  globalThis.__zod_globalConfig = { jitless: true }

  // The colour scheme and the language as last chosen. Keys: Mantine's own, and app/i18n.ts. As cookies they let the server paint the
  // skeleton so (server/src/app/web.ts).
  const root = document.documentElement
  let scheme = 'auto'
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value') || 'auto'
    root.lang = localStorage.getItem('language') === 'en' ? 'en' : 'ja'
    const keep = '; Path=/_app; Max-Age=31536000; SameSite=Strict'
    document.cookie = `color_scheme=${scheme}${keep}`
    document.cookie = `language=${root.lang}${keep}`
  } catch {
    // Storage may be forbidden; the defaults then stand.
  }
  if (scheme !== 'light' && scheme !== 'dark')
    scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  root.setAttribute('data-mantine-color-scheme', scheme)
})()
