import { defineWords } from '../../app/define-words.ts'

export const words = defineWords({
  ja: {
    title: 'レポート',
    description: '配信したキャンペーンの結果を確認できます。',
    name: 'レポート名',
    sent: '配信数',
    sentAt: '配信日時',
    details: '詳細',
    csvRecipients: '配信先のCSV',
    csvClicks: 'クリックのCSV',
    empty: {
      title: 'レポートはまだありません',
      text: 'キャンペーンを配信すると、開封、クリック、売上のレポートがここに並びます。',
      action: 'キャンペーンを開く',
    },
  },
  en: {
    title: 'Reports',
    description: 'Results of the campaigns you have sent.',
    name: 'Report name',
    sent: 'Sent',
    sentAt: 'Sent at',
    details: 'Details',
    csvRecipients: 'Recipients (CSV)',
    csvClicks: 'Clicks (CSV)',
    empty: {
      title: 'No reports yet',
      text: 'Once you send a campaign, its opens, clicks and revenue appear here.',
      action: 'Go to campaigns',
    },
  },
})
