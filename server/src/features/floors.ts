/**
 * The floors of the house. A feature calls only features on lower floors, only through their `index.ts`; what must flow upward
 * flows as a fact (app/subscriptions.ts) or is asked through a port (app/ports.ts). A table is written by one feature; a higher
 * floor may read the tables of lower floors in its queries. Moving a feature is one line here (docs/decisions, 1).
 * Kept by `npm run house`.
 */
export const floors: readonly (readonly string[])[] = [
  ['merchants'],
  ['sessions', 'stores', 'stats', 'line-accounts', 'sender-domains', 'own-mailers', 'media', 'storefront-settings'],
  ['catalog', 'customers', 'guests'],
  ['metafields', 'line-friends', 'visitors'],
  ['email-rendering', 'link-checks', 'line-relays', 'line-login', 'birthdays'],
  ['consent', 'orders', 'emails', 'line-messages', 'restocks'],
  ['deliveries', 'coupons', 'checkouts', 'favorites', 'behavior'],
  ['segments', 'channels', 'events', 'product-rules'],
  ['bounces', 'campaigns', 'tracking', 'flows'],
  ['executions', 'triggers', 'rich-menus', 'deliverability'],
  ['steps'],
  ['entering'],
  ['scenarios', 'rehearsals'],
  [
    'data-sync',
    'privacy',
    'data-import',
    'store-sign-in',
    'subscriptions',
    'profiles',
    'reports',
    'restock-waves',
    'demo',
  ],
  ['datasets'],
]
