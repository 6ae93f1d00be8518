export const yen = (amount: number): string => `¥${amount.toLocaleString('ja-JP')}`
