import type { Api as OrderStatus } from '@shopify/ui-extensions/customer-account.order-status.block.render'
import type { Api as Profile } from '@shopify/ui-extensions/customer-account.profile.block.render'
import type { Api as ThankYou } from '@shopify/ui-extensions/purchase.thank-you.block.render'

/** What the platform puts into the worker; which of its pages it is for, shopify.extension.toml says. */
export const shopify: ThankYou | OrderStatus | Profile = (globalThis as unknown as { shopify: ThankYou }).shopify
