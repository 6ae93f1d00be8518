import { defineWords } from '../../app/define-words.ts'

export const words = defineWords({
  ja: {
    title: 'セグメント',
    description: '条件に合うお客様のまとまりです。キャンペーンの配信先に使います。',
    add: 'セグメントを作成',
    search: 'セグメント名で検索',
    name: '名前',
    status: { label: '状態', calculating: '集計中', ready: '集計済み', failed: '集計失敗' },
    customers: '顧客数',
    percentage: '割合',
    createdAt: '作成日時',
    details: '詳細',
    edit: '編集',
    remoteReadonly: 'ストアから取り込んだセグメントは編集できません。',
    delete: '削除',
    deleteAsk: 'セグメント「{{name}}」を削除しますか？',
    empty: {
      title: 'セグメントはまだありません',
      text: '購入回数や最終購入日、メール配信の許可などの条件で、届けたいお客様を選べます。',
    },
  },
  en: {
    title: 'Segments',
    description: 'Customers that fit your conditions, to send campaigns to.',
    add: 'New segment',
    search: 'Search segments by name',
    name: 'Name',
    status: { label: 'Status', calculating: 'Calculating', ready: 'Ready', failed: 'Failed' },
    customers: 'Customers',
    percentage: 'Share',
    createdAt: 'Created at',
    details: 'Details',
    edit: 'Edit',
    remoteReadonly: 'Remote segments from the store platform cannot be edited.',
    delete: 'Delete',
    deleteAsk: 'Delete the segment “{{name}}”?',
    empty: {
      title: 'No segments yet',
      text: 'Choose whom to reach by number of orders, last order, marketing permission and more.',
    },
  },
})
