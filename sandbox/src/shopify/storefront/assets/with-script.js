// Before the page is drawn: what only a page without a program shows is not there for a moment and then gone.
document.documentElement.classList.add('js')
