import type { Localized } from '../locale.ts'
import type { ReceiverKey } from './receivers.ts'

const same = (name: string): Localized => ({ ja: name, en: name })

/** What people call those who take their mail. */
export const receiverNames: Record<ReceiverKey, Localized> = {
  google: same('Gmail'),
  docomo: { ja: 'ドコモ', en: 'docomo' },
  au: same('au'),
  softbank: { ja: 'ソフトバンク・ワイモバイル', en: 'SoftBank and Y!mobile' },
  yahoo_jp: same('Yahoo! JAPAN'),
  rakuten: { ja: '楽天モバイル', en: 'Rakuten Mobile' },
  apple: same('iCloud'),
  microsoft: { ja: 'Outlook・Hotmail', en: 'Outlook and Hotmail' },
  yahoo: { ja: 'Yahoo・AOL（日本以外）', en: 'Yahoo and AOL (outside Japan)' },
  nifty: { ja: 'ニフティ', en: 'nifty' },
  ocn: same('OCN'),
  biglobe: same('BIGLOBE'),
  so_net: same('So-net'),
  plala: { ja: 'ぷらら', en: 'plala' },
  jcom: same('J:COM'),
  au_one_net: { ja: 'auひかり', en: 'au one net' },
  eonet: { ja: 'eo光', en: 'eonet' },
}
