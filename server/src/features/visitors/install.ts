import fs from 'node:fs/promises'
import path from 'node:path'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore, storefrontAddress } from '../stores/index.ts'

/** The extension's own: what it keeps free is what a theme without it has to. */
const PLACES_CSS = path.join(import.meta.dirname, '../../../../widget/extension/assets/places.css')

/** What a merchant copies into a theme, Liquid included. All null while no store is connected. */
export async function presentInstall(scope: MerchantScope) {
  const store = await findStore(scope)
  if (store?.status !== 'connected')
    return {
      script_tag: null,
      places: null,
      styles: null,
      theme_editor_url: null,
      checkout_editor_url: null,
      favorites_page_url: null,
    }
  const { context } = scope
  const at = (path: string): string => storefrontAddress(context, store.shop_domain, path)
  return {
    script_tag: scriptTag(context.settings.publicUrl, store.shop_domain),
    places: PLACES,
    styles: (await fs.readFile(PLACES_CSS, 'utf8')).replace(/\/\*[\s\S]*?\*\/\s*/g, ''),
    theme_editor_url: at('/admin/themes/current/editor?context=apps'),
    checkout_editor_url: at('/admin/settings/checkout/editor?page=thank-you&context=apps'),
    favorites_page_url: at('/apps/okaeri/shopify/proxy/favorites'),
  }
}

const scriptTag = (publicUrl: string, shop: string): string =>
  [
    `<script async src="${publicUrl}/assets/js/okaeri.js?shop=${shop}"`,
    `  data-customer="{{ customer.id }}" data-page="{{ request.page_type }}"></script>`,
    `{% if product %}<script type="application/json" data-okaeri-product>`,
    `{ "id": {{ product.id }}, "variants": [{% for variant in product.variants %}{ "id": {{ variant.id }}, "available": {{ variant.available }}, "title": {{ variant.title | strip_html | json }} }{% unless forloop.last %},{% endunless %}{% endfor %}] }`,
    `</script>{% endif %}`,
  ].join('\n')

/** As the extension's blocks write them. */
const PLACES = `<!-- snippets/card-product.liquid -->
<div data-okaeri="heart" data-product-id="{{ card_product.id }}"></div>

<!-- sections/main-product.liquid -->
<div data-okaeri="heart" data-product-id="{{ product.id }}"></div>
<div data-okaeri="restock" data-product-id="{{ product.id }}"{% unless product.selected_or_first_available_variant.available %} data-sold-out="2"{% endunless %}></div>

<!-- sections/main-account.liquid -->
<div data-okaeri="birthday"></div>
<div data-okaeri="consent"></div>

<!-- sections/footer.liquid -->
<div data-okaeri="sign-up"></div>`
