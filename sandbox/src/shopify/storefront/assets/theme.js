// The theme's script. Every page works without it; with it a product's options change price and stock without a new page, forms send
// themselves, and the checkout keeps an address as it is typed.

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
      // In what was chosen before it: a color is sold out in all sizes, a size in this color.
      const soldOut = !variants.some(
        (one) =>
          one.isForSale &&
          one.values.every((value, at) =>
            at === index ? value === input.value : at > index || value === variant.values[at],
          ),
      )
      const label = input.nextElementSibling
      label.dataset.sold = soldOut
      label.querySelector('[data-sold-text]').textContent = soldOut ? select.dataset.soldText : ''
    }
  }

  product.addEventListener('change', (event) => {
    if (event.target.matches('.choice')) {
      const index = Number(event.target.closest('[data-option]').dataset.option)
      // Not every combination exists: then another that has what was pressed.
      const variant = variantOf(chosenValues()) ?? variants.find(({ values }) => values[index] === event.target.value)
      for (const input of product.querySelectorAll('.choice'))
        input.checked = input.value === variant.values[Number(input.closest('[data-option]').dataset.option)]
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

  // Pressed before this script was here, or kept by the browser from before.
  const early = variantOf(chosenValues())
  if (early && String(early.id) !== select.value) {
    select.value = String(early.id)
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
}
