import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  badge: { ja: '準備中', en: 'Coming soon' },
  lead: {
    ja: 'この画面は準備中です。次のことができるようになります。',
    en: 'This page is coming soon. You’ll be able to:',
  },
  meanwhile: { ja: 'それまでの間は', en: 'In the meantime' },
  videos: {
    title: { ja: '使い方動画', en: 'Usage videos' },
    text: {
      ja: 'チュートリアルと、機能ごとの短い使い方動画をまとめます。',
      en: 'The tutorial and a short video for each feature.',
    },
    one: { ja: '最初の配信までの流れを、順を追って確認できます。', en: 'Step by step to the first campaign.' },
    two: {
      ja: 'セグメント、メール、キャンペーンの使い方を解説します。',
      en: 'How segments, emails and campaigns are used.',
    },
    three: { ja: '効果の高い配信の例を紹介します。', en: 'Examples of what works well.' },
    link: { ja: 'ダッシュボードを開く', en: 'Open dashboard' },
  },
  support: {
    title: { ja: 'サポート', en: 'Support' },
    text: {
      ja: 'よくある質問、お問い合わせ、ビデオ通話でのご相談の窓口です。',
      en: 'Common questions, a contact form, and help over a video call.',
    },
    one: {
      ja: 'よくある質問：困ったときの確認手順をまとめます。',
      en: 'FAQ: steps to check when something goes wrong.',
    },
    two: { ja: 'お問い合わせ：フォームから相談できます。', en: 'Contact form: ask us anything.' },
    three: {
      ja: 'ビデオ通話：画面を見ながら設定をお手伝いします。',
      en: 'Video call: we help with settings while looking at the same page.',
    },
    link: { ja: '設定を確認する', en: 'Check settings' },
  },
} satisfies WordTree
