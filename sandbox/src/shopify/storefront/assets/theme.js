// The theme's script. Every page works without it; with it a product's options change price and stock without a new page, forms send
// themselves, and the checkout keeps an address as it is typed.
document.documentElement.classList.add('js')

for (const link of document.querySelectorAll('a[data-keep]')) {
  const here = new URLSearchParams(location.search)
  for (const [name, value] of new URLSearchParams(link.search)) here.set(name, value)
  link.search = here.toString()
}

for (const control of document.querySelectorAll('[data-submits]')) {
  control.addEventListener('change', () => control.form.requestSubmit())
}

const checkout = document.querySelector('form[data-contact]')
if (checkout) {
  checkout.elements.email.addEventListener('change', (event) => {
    if (!event.target.checkValidity()) return
    const body = new URLSearchParams({ email: event.target.value })
    void fetch(checkout.dataset.contact, { method: 'POST', body, keepalive: true }).catch(() => {
      // It is sent again with the order.
    })
  })
}

const product = document.querySelector('[data-product]')
if (product) {
  const variants = JSON.parse(document.querySelector('script[data-variants]').textContent)
  const select = product.querySelector('select[name=id]')
  const chosenValues = () => [...product.querySelectorAll('.choice:checked')].map(({ value }) => value)
  const variantOf = (values) => variants.find((one) => one.values.every((value, index) => value === values[index]))

  const draw = () => {
    const variant = variants.find(({ id }) => String(id) === select.value)
    if (!variant) return
    // The theme's own words, escaped by the server.
    product.querySelector('[data-price]').innerHTML = variant.price
    product.querySelector('[data-stock]').textContent = variant.stock
    product.querySelector('[data-buy]').hidden = !variant.isForSale
    product.querySelector('[data-sold-out]').hidden = variant.isForSale
    product.querySelector('#quantity').closest('.field').hidden = !variant.isForSale
    for (const input of product.querySelectorAll('.choice')) {
      const index = Number(input.closest('[data-option]').dataset.option)
      const twin = variantOf(variant.values.with(index, input.value))
      const soldOut = !twin?.isForSale
      const label = input.nextElementSibling
      label.dataset.sold = soldOut
      label.querySelector('[data-sold-text]').textContent = soldOut ? select.dataset.soldText : ''
    }
  }

  product.addEventListener('change', (event) => {
    if (event.target.matches('.choice')) {
      const variant = variantOf(chosenValues())
      if (!variant) return
      select.value = String(variant.id)
      // As other themes do: apps hear of the variant by the form's field and the address.
      select.dispatchEvent(new Event('change', { bubbles: true }))
      return
    }
    if (event.target !== select) return
    const here = new URL(location.href)
    here.searchParams.set('variant', select.value)
    here.searchParams.delete('problem')
    history.replaceState(history.state, '', here)
    draw()
  })
}
