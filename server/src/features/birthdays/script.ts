import type { Context } from '../../kernel/context.ts'

/**
 * For themes without blocks: makes a place for the form where the script tag stands, and brings the widget if the page has none. It says
 * nothing of the customer, because any page can run a script of another address.
 */
export const birthdayScript = ({ settings }: Context, shopDomain: string): string =>
  `(()=>{const d=document,s=d.currentScript;if(!d.querySelector('[data-okaeri="birthday"]')){const p=d.createElement('div');p.dataset.okaeri='birthday';(s||d.body.lastChild).after(p)}if(!d.querySelector('script[src*="/assets/js/okaeri.js"]')){const l=d.createElement('script');l.async=true;l.src=${JSON.stringify(`${settings.publicUrl}/assets/js/okaeri.js?shop=${encodeURIComponent(shopDomain)}`)};d.head.append(l)}})()`
