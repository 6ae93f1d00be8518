import type { Localized } from '../locale.ts'
import type { ReceiverKey } from './receivers.ts'

/** What people call those who take their mail. */
export const receiverNames: Record<ReceiverKey, Localized> = {
  google: { ja: 'Gmail', en: 'Gmail' },
  docomo: { ja: 'ドコモ', en: 'docomo' },
  au: { ja: 'au・UQ mobile', en: 'au, UQ mobile' },
  softbank: { ja: 'ソフトバンク・ワイモバイル', en: 'SoftBank, Y!mobile' },
  yahoo_jp: { ja: 'Yahoo! JAPAN', en: 'Yahoo! JAPAN' },
  rakuten: { ja: '楽メール', en: 'Rakuten Mobile' },
  apple: { ja: 'iCloud', en: 'iCloud' },
  microsoft: { ja: 'Outlook・Hotmail', en: 'Outlook, Hotmail' },
  yahoo: { ja: 'Yahoo（日本以外）・AOL', en: 'Yahoo, AOL' },
  nifty: { ja: '@nifty', en: '@nifty' },
  ocn: { ja: 'OCN', en: 'OCN' },
  biglobe: { ja: 'BIGLOBE', en: 'BIGLOBE' },
  so_net: { ja: 'So-net', en: 'So-net' },
  plala: { ja: 'ぷらら', en: 'Plala' },
  jcom: { ja: 'J:COM', en: 'J:COM' },
  au_one_net: { ja: 'auひかり・DION', en: 'au Hikari, DION' },
  eonet: { ja: 'eo光', en: 'eonet' },
}
