// Sets the colour scheme and the language before the first paint. Keys: Mantine's own, and app/i18n.ts.
;(() => {
  const root = document.documentElement
  let scheme = 'auto'
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value') || 'auto'
    root.lang = localStorage.getItem('language') === 'en' ? 'en' : 'ja'
  } catch {
    // Storage may be forbidden; the defaults then stand.
  }
  if (scheme !== 'light' && scheme !== 'dark')
    scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  root.setAttribute('data-mantine-color-scheme', scheme)
})()
