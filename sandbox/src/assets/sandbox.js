// The only script of the sandbox's pages. Everything works without it; it adds the question before a dangerous form,
// the live refresh of a part of a page, the width switch of a mail's preview, and keeps the filters when the language changes.
document.addEventListener('submit', (event) => {
  const question = event.target.dataset.confirm
  if (question && !window.confirm(question)) event.preventDefault()
})

for (const part of document.querySelectorAll('[data-refresh]')) {
  const refresh = async () => {
    if (!document.hidden && !part.contains(document.activeElement)) {
      try {
        const answer = await fetch(part.dataset.refresh, { headers: { accept: 'text/html' } })
        if (answer.ok) {
          const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById(part.id)
          if (fresh && fresh.innerHTML !== part.innerHTML) part.innerHTML = fresh.innerHTML
        }
      } catch {
        // The sandbox is restarting; the next round finds it again.
      }
    }
    setTimeout(refresh, 2000)
  }
  setTimeout(refresh, 2000)
}

const language = document.querySelector('a.language')
if (language) {
  const here = new URLSearchParams(location.search)
  here.set('lang', language.lang)
  language.search = here.toString()
}

for (const button of document.querySelectorAll('button[data-width]')) {
  button.addEventListener('click', () => {
    document.getElementById(button.dataset.for).style.maxWidth = button.dataset.width
    for (const other of document.querySelectorAll('button[data-width]')) {
      other.setAttribute('aria-pressed', String(other === button))
    }
  })
}
