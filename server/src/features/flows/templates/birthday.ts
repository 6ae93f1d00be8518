import {
  chain,
  checkbox,
  couponFields,
  couponIfWanted,
  endsWhenUsed,
  furtherMail,
  hourField,
  mail,
  mailField,
  numberField,
  separator,
  type Template,
  timeAt,
  wait,
} from './template.ts'

/** No one has two birthdays within this time, even if they change theirs. */
const ONCE_A_YEAR_DAYS = 300

/** Spec §3 and §9: exactly these fields, and those for LINE. */
export const birthday: Template = {
  classname: 'BirthdayAction',
  name_ja: '誕生日メール',
  name_en: 'Birthday email',
  category_ja: '記念日',
  category_en: 'Special days',
  description_ja: '誕生日の当日または数日前に、お祝いのメールを配信します。クーポンと2通目も付けられます。',
  description_en: 'Sends a birthday email on the day or some days before, with an optional coupon and second email.',
  needs: 'birthdays',
  schema: [
    hourField(10),
    numberField(
      'dayago',
      { min: 0, max: 60, default: 0 },
      {
        nameJa: '誕生日の何日前に配信するか',
        nameEn: 'Days before the birthday',
        suffixJa: '日前',
        suffixEn: 'days before',
        descriptionJa: '0は誕生日当日、1は前日です。',
        descriptionEn: '0 is the birthday itself, 1 the day before.',
      },
    ),
    numberField(
      'dayago_calc',
      { min: 0, max: 30, default: 0 },
      {
        nameJa: '配信対象を決める日（配信の何日前か）',
        nameEn: 'Select recipients',
        suffixJa: '日前',
        suffixEn: 'days before sending',
        descriptionJa: 'この日に誕生日が分かっている顧客に配信します。その後に誕生日を変えた顧客には影響しません。',
        descriptionEn:
          'Those whose birthday is known on that day get it; a birthday changed afterwards changes nothing.',
      },
    ),
    mailField('email', { nameJa: '配信するメール', nameEn: 'Email to send' }),
    ...couponFields,
    separator('email2_section', { nameJa: '2通目のメール', nameEn: 'Second email' }),
    checkbox('email2', { nameJa: '2通目のメールを配信する', nameEn: 'Send a second email' }),
    mailField('email2_email', { nameJa: '2通目のメール', nameEn: 'Second email', depends: 'email2' }),
    numberField(
      'email2_hours',
      { min: 1, max: 24 * 60, default: 72 },
      {
        nameJa: '1通目からの時間',
        nameEn: 'After the first email',
        suffixJa: '時間後',
        suffixEn: 'hours',
        depends: 'email2',
      },
    ),
  ],
  makeFlow: (values) => ({
    trigger: {
      kind: 'birthday',
      days_before: values.number('dayago') + values.number('dayago_calc'),
      time: timeAt(values.number('hour')),
    },
    condition: null,
    reentry: { mode: 'every_days', days: ONCE_A_YEAR_DAYS },
    ends_on: endsWhenUsed(values),
    ...chain(
      wait('decided', values.number('dayago_calc'), 'days'),
      couponIfWanted(values),
      mail('email', values.id('email')),
      ...furtherMail(values, 'email2'),
    ),
  }),
}
