import { ApiError } from '@okaeri/contract/client'
import { type FieldReason, fieldReasons, type Reason } from '@okaeri/contract/errors'
import type { Locale, Localized } from '@okaeri/contract/locale'
import { useCallback } from 'react'
import { currentLanguage, useLanguage } from './i18n.ts'

/** The server's reasons for people. The specification's own messages (§5, §8) are kept word for word in English. */
export const reasonTexts: Record<Reason | 'network', Localized> = {
  network: {
    ja: 'サーバーに接続できません。通信環境を確認して、もう一度お試しください。',
    en: 'The server cannot be reached. Please check your connection and try again.',
  },

  validation: { ja: '入力内容を確認してください。', en: 'Check the highlighted fields.' },
  malformed_json: { ja: '送信内容を読み取れませんでした。', en: 'The request could not be read.' },
  wrong_content_type: { ja: '送信形式が正しくありません。', en: 'The request has the wrong format.' },
  body_too_large: { ja: '送信内容が大きすぎます。', en: 'The content is too large.' },
  unknown_route: { ja: 'お探しの機能が見つかりません。', en: 'This address does not exist.' },
  wrong_method: { ja: 'この操作は行えません。', en: 'This action is not available.' },
  not_found: {
    ja: '見つかりませんでした。すでに削除されたか、アクセスできません。',
    en: 'Not found: it was already deleted or cannot be accessed.',
  },
  bad_request: { ja: 'リクエストを処理できませんでした。', en: 'The request could not be processed.' },
  internal: { ja: 'エラーが発生しました。もう一度お試しください。', en: 'An error occurred. Please try again.' },
  unavailable: {
    ja: '現在ご利用いただけません。しばらくしてからもう一度お試しください。',
    en: 'Not available right now. Please try again later.',
  },
  database_away: {
    ja: 'Okaeriがデータベースに接続できません。入力内容は残っています。復旧後にもう一度お試しください。',
    en: 'Okaeri cannot reach its database right now. What you entered is still here: please try again when it is back.',
  },
  database_busy: {
    ja: 'データベースが混み合っています。しばらくしてからもう一度お試しください。',
    en: 'The database is busy. Please try again in a moment.',
  },
  disk_full: {
    ja: 'サーバーのディスクに空きがないため、保存できません。運用担当者にご連絡ください。',
    en: 'The server’s disk is full, so nothing can be saved. Contact the Okaeri operator.',
  },
  stopping: {
    ja: 'サーバーを停止しています。しばらくしてからもう一度お試しください。',
    en: 'The server is restarting. Please try again in a moment.',
  },
  rate_limited: {
    ja: '操作が続いたため制限されています。しばらくしてからもう一度お試しください。',
    en: 'Too many attempts. Please try again after a while.',
  },

  sign_in_required: {
    ja: 'ログインの有効期限が切れました。もう一度ログインしてください。',
    en: 'Your session has ended. Please log in again.',
  },
  wrong_credentials: { ja: 'メールアドレスまたはパスワードが違います。', en: 'Wrong email address or password.' },
  token_invalid: {
    ja: 'ログイン情報が無効です。もう一度ログインしてください。',
    en: 'Your session is no longer valid. Please log in again.',
  },
  token_reused: {
    ja: '安全のためログアウトしました。もう一度ログインしてください。',
    en: 'You were logged out for security. Please log in again.',
  },
  reset_token_invalid: {
    ja: 'このリンクは無効か、有効期限が切れています。もう一度お手続きください。',
    en: 'This link is not valid or has expired. Please request a new one.',
  },
  wrong_current_password: { ja: '現在のパスワードが違います。', en: 'The current password is wrong.' },
  email_taken: { ja: 'このメールアドレスはすでに登録されています。', en: 'This email address is already registered.' },
  confirmation_link_invalid: {
    ja: 'このリンクは無効か、有効期限が切れています。アカウントをお持ちの方は、ログインすると新しいリンクを送れます。お持ちでない方は、依頼した方に送り直しをお願いしてください。',
    en: 'This link is not valid or has expired. If you have an account, log in to send a new one. Otherwise, ask the sender to resend it.',
  },
  account_unconfirmed: {
    ja: 'アカウントのメールアドレスが確認されていないため、まだ配信できません。届いた確認メールのリンクを開いてください。',
    en: 'Nothing can be sent yet: your account email is not confirmed. Open the confirmation link we sent.',
  },
  sender_unconfirmed: {
    ja: '差出人メールアドレスが確認されていません。設定から確認リンクを送れます。',
    en: 'The sender address is not confirmed. You can send a confirmation link from settings.',
  },
  test_address_unconfirmed: {
    ja: '確認されていない宛先があります。宛先の方が確認するまで、テストメールは送れません。',
    en: 'A test address is not confirmed. Test emails only go to confirmed addresses.',
  },
  test_mails_used_up: {
    ja: '本日のテスト送信の上限に達しました。明日もう一度お試しください。',
    en: 'Today’s limit for test sends is reached. Please try again tomorrow.',
  },
  password_guessable: {
    ja: 'このパスワードは推測されやすいため使えません。別のパスワードを入力してください。',
    en: 'This password is easy to guess. Please choose another.',
  },
  sign_up_closed: { ja: '新規登録は受け付けていません。', en: 'Sign-up is closed here.' },
  sign_up_by_invitation: {
    ja: '新規登録には有効な招待が必要です。招待リンクの期限が切れているか、招待されたものと別のメールアドレスの可能性があります。運用担当者にお問い合わせください。',
    en: 'You need a valid invitation to sign up. The link may have expired or be for another email address. Contact the Okaeri operator.',
  },
  role_forbids: { ja: 'この操作を行う権限がありません。', en: 'Your role does not allow this.' },
  captcha_failed: {
    ja: '確認に失敗しました。もう一度お試しください。',
    en: 'The captcha check failed. Please try again.',
  },
  operator_only: { ja: 'この操作は運用担当者のみ行えます。', en: 'Only the operator can do this.' },

  plan_forbids_leaving_test_mode: {
    ja: 'テストプランではテストモードを解除できません。プランの変更は運用担当者にご相談ください。',
    en: 'Test mode cannot be disabled on the test plan. To change your plan, contact the Okaeri operator.',
  },
  store_under_review: {
    ja: 'ストアの審査中はテストモードを解除できません。',
    en: 'The store is under review, so test mode cannot be lifted.',
  },
  plan_forbids_provider: {
    ja: 'メール配信方式はエンタープライズプランでのみ選択できます。',
    en: 'The email provider can be chosen on the enterprise plan only.',
  },
  provider_fixed: {
    ja: 'テストモードを解除した後は、メール配信方式を変更できません。',
    en: 'The email provider cannot be changed once test mode is off.',
  },
  too_many_senders: { ja: '差出人は20件まで登録できます。', en: 'You can add up to 20 senders.' },
  sender_domain_pending: {
    ja: 'このドメインはまだ確認されていません。先に、表示されているレコードをDNSに登録してください。',
    en: 'This domain is not verified yet. Publish the records shown first.',
  },
  too_many_sender_domains: { ja: '差出人ドメインは10件まで登録できます。', en: 'You can add up to 10 sender domains.' },
  no_link_target: {
    ja: 'この環境では、リンク用のドメインを使えません。Okaeriの運用担当者にお問い合わせください。',
    en: 'Link domains are not available on this installation. Ask your Okaeri operator.',
  },
  own_mailer_changed_meanwhile: {
    ja: 'ほかの人が配信サーバーの設定を変更しました。内容を確認してから、もう一度保存してください。',
    en: 'Someone else has just changed the email server. Check it and save again.',
  },
  own_mailer_untested: {
    ja: '先にテストメールを送って、届くことを確認してください。',
    en: 'Send a test email first, and check that it arrives.',
  },
  sender_domain_public: {
    ja: 'フリーメールのドメインは差出人として使用できません。',
    en: 'Public mail services are not permitted as the sender domain.',
  },

  store_signature_invalid: {
    ja: 'ストアからの応答を確認できませんでした。もう一度接続してください。',
    en: 'The store’s answer could not be verified. Please connect again.',
  },
  session_token_invalid: {
    ja: 'ストアのページを確認できませんでした。ページを再読み込みしてください。',
    en: 'The page of the store could not be verified. Please reload it.',
  },
  session_token_used: {
    ja: 'このページはもう確認済みです。ページを再読み込みしてください。',
    en: 'This page was verified before. Please reload it.',
  },
  store_state_invalid: {
    ja: 'ストア接続の有効期限が切れました。もう一度接続してください。',
    en: 'The connection request expired. Please connect again.',
  },
  origin_not_allowed: {
    ja: 'このページからは利用できません。',
    en: 'This cannot be used from this page.',
  },
  too_many_favorites: {
    ja: 'お気に入りの上限に達しました。不要なものを解除してください。',
    en: 'You have reached the limit of favorites. Remove some first.',
  },
  store_not_connected: { ja: 'ストアが接続されていません。', en: 'No store is connected.' },
  store_platform_not_set_up: {
    ja: 'このOkaeriでは、まだストアを接続できません。',
    en: 'This installation of Okaeri cannot connect stores yet.',
  },
  store_connected_elsewhere: {
    ja: 'このストアはすでに別のアカウントに接続されています。',
    en: 'This store is already connected to another account.',
  },
  store_sign_in_ended: {
    ja: 'このストアからはログインできなくなりました。',
    en: 'This store can no longer be used to log in.',
  },
  store_sells_in_another_currency: {
    ja: 'このストアの通貨は、Okaeriで入力済みの金額の通貨と異なります。',
    en: 'This store sells in another currency than your amounts in Okaeri.',
  },
  currency_has_sales: {
    ja: 'すでに別の通貨で売上が集計されているため、このアカウントの通貨は変更できません。',
    en: 'Revenue was already counted in another currency, so the currency of this account cannot change.',
  },
  currency_in_use: {
    ja: '有効なシナリオか、予約中または配信中のキャンペーンがあるため、通貨を変更できません。',
    en: 'The currency cannot change while scenarios are active or campaigns are scheduled or sending.',
  },
  currency_amounts_changed: {
    ja: '表示後に金額が変更されました。もう一度ご確認ください。',
    en: 'Amounts have changed since this was shown. Please review them again.',
  },
  currency_changed_meanwhile: {
    ja: 'ページを開いた後に、アカウントの通貨が変わりました。金額の意味が変わるため、保存していません。ページを再読み込みし、金額を確認してください。',
    en: 'The currency of your account changed after this page was opened. The amounts would mean something else, so nothing was saved. Reload the page and check the amounts.',
  },
  store_unreachable: {
    ja: 'ストアに接続できません。しばらくしてからもう一度お試しください。',
    en: 'The store cannot be reached. Please try again later.',
  },
  store_refused: { ja: 'ストアに要求が拒否されました。', en: 'Shopify rejected the request.' },
  not_compared: {
    ja: 'このデータは照合の対象ではありません。もう一度同期すると最新になります。',
    en: 'This data is not checked against the store. Sync it again to update.',
  },
  sync_running: { ja: 'ストアの同期はすでに進行中です。', en: 'The store is already being synced.' },

  line_login_off: {
    ja: 'LINEアカウントの連携は、現在ご利用いただけません。',
    en: 'Linking LINE accounts is not available.',
  },
  wording_changed: {
    ja: '表示されている文言が変更されました。再読み込みしてください。',
    en: 'The wording has changed. Please reload the page.',
  },
  birthday_changes_used_up: {
    ja: '誕生日は、これ以上変更できません。',
    en: 'The birthday cannot be changed again.',
  },
  in_stock: { ja: 'この商品は購入できます。', en: 'This product is in stock.' },
  line_not_linked: { ja: '先にLINEと連携してください。', en: 'Link your LINE account first.' },
  customer_not_signed_in: { ja: 'ストアにログインしてください。', en: 'Sign in to the store first.' },
  line_not_connected: { ja: 'LINEが接続されていません。', en: 'LINE is not connected.' },
  line_channel_taken: {
    ja: 'このLINEチャネルは、すでに別のアカウントに接続されています。',
    en: 'This LINE channel is already connected to another account.',
  },
  line_account_taken: {
    ja: 'このLINEアカウントは、すでに別の顧客と連携されています。',
    en: 'This LINE account is already linked to another customer.',
  },
  line_account_changed_meanwhile: {
    ja: '別の人がLINEの設定を変更しました。画面を更新してから、もう一度お試しください。',
    en: 'Someone else changed the LINE settings. Reload the page and try again.',
  },
  line_quota_exceeded: {
    ja: '今月のLINEメッセージの残りが足りません。',
    en: 'There are not enough LINE messages left this month.',
  },
  line_unreachable: {
    ja: 'LINEに接続できません。しばらくしてからもう一度お試しください。',
    en: 'LINE cannot be reached. Please try again later.',
  },
  too_many_line_relays: { ja: '転送先は5件まで登録できます。', en: 'You can add up to 5 addresses.' },
  rich_menu_changed_meanwhile: {
    ja: '編集中に、このリッチメニューが別の画面で変更されていたため、保存しませんでした。入力した内容は残っています。',
    en: 'Not saved: this rich menu was changed elsewhere while you were editing. Your changes are still here.',
  },
  rich_menu_status_forbids: {
    ja: 'リッチメニューのステータスが変わったため、この操作はできません。最新のステータスをご確認ください。',
    en: 'The status of the rich menu changed, so this is not possible. Check the current status.',
  },
  rich_menu_incomplete: {
    ja: '背景画像とエリアの設定が完了していません。すべてのタブに画像とエリアを設定し、エリアを画像の中（タブの下）に置いてください。',
    en: 'Pictures or areas are missing. Give every tab a picture and areas, and keep the areas inside the picture and below the tabs.',
  },
  rich_menu_sizes_differ: {
    ja: 'すべてのタブの画像を同じサイズにしてください。',
    en: 'The pictures of all tabs must have the same size.',
  },
  picture_too_large: { ja: '画像は1MB以下にしてください。', en: 'The picture must be 1 MB or less.' },
  picture_unreadable: {
    ja: '画像を読み込めませんでした。壊れていないJPEGまたはPNGの画像を使用してください。',
    en: 'The picture could not be read. Use a JPEG or PNG that is not damaged.',
  },
  picture_animated: {
    ja: '動く画像は使えません。静止画を使用してください。',
    en: 'Animated pictures cannot be used. Use a still picture.',
  },
  picture_cmyk: {
    ja: '印刷用の色（CMYK）の画像は、正しい色で表示されません。RGBの画像を使用してください。',
    en: 'Pictures in print colors (CMYK) are not shown in the right colors. Use an RGB picture.',
  },
  picture_rotated: {
    ja: '向きの情報（EXIF）がついた画像は、横向きに表示されることがあります。正しい向きで保存し直した画像を使用してください。',
    en: 'The picture is turned by its EXIF data, and may be shown on its side. Save it upright first.',
  },
  picture_width: {
    ja: '画像の幅は800px以上2500px以下にしてください。',
    en: 'The picture must be 800 to 2500 pixels wide.',
  },
  picture_height: { ja: '画像の高さは250px以上にしてください。', en: 'The picture must be at least 250 pixels high.' },
  picture_aspect: {
    ja: '画像の縦横比（幅÷高さ）は1.45以上にしてください。',
    en: 'The picture must be at least 1.45 times as wide as high.',
  },
  too_many_rich_menus: {
    ja: '同時に配信できるリッチメニューは200件までです。使わないものの配信を停止してください。',
    en: 'Up to 200 rich menus can be active at once. Deactivate those you no longer need.',
  },
  media_full: {
    ja: '保存できる画像の数または容量の上限に達しました。使わない画像を削除してください。',
    en: 'No more pictures can be kept. Delete pictures you no longer need.',
  },
  media_too_large: { ja: '画像は20MB以下にしてください。', en: 'The picture must be 20 MB or less.' },
  media_in_use: {
    ja: 'この画像は使われています。使用先を確認してから削除してください。',
    en: 'The picture is in use. Look where it is used before you delete it.',
  },
  upload_used: {
    ja: 'このアップロードはすでに完了しています。もう一度始めてください。',
    en: 'This upload has already been used. Start again.',
  },
  upload_ended: {
    ja: 'アップロードの期限が切れました。もう一度始めてください。',
    en: 'The upload took too long to begin. Start again.',
  },
  upload_missing: {
    ja: '画像がまだ届いていません。もう一度アップロードしてください。',
    en: 'The file has not arrived. Upload it again.',
  },
  picture_type: {
    ja: '画像ではないか、使えない形式のファイルです。JPEG、PNG、GIF、WebPの画像を使用してください。',
    en: 'The file is no picture, or of a format that cannot be used. Use a JPEG, PNG, GIF or WebP.',
  },
  picture_svg: {
    ja: 'SVGはメールに表示されず、スクリプトを含むことがあるため、使えません。PNGで保存し直してください。',
    en: 'SVG is not shown in emails and may hold scripts, so it cannot be used. Save it as a PNG.',
  },
  picture_heic: {
    ja: 'HEICとAVIFの画像は使えません。JPEGで保存し直してください。',
    en: 'HEIC and AVIF pictures cannot be used. Save it as a JPEG.',
  },
  picture_moving: {
    ja: '動くWebPはメールに表示されません。GIFで保存し直してください。',
    en: 'An animated WebP is not shown in emails. Save it as a GIF.',
  },
  picture_pixels: {
    ja: '画像が大きすぎます。縦×横（動くGIFは全コマの合計）を5,000万画素以下にしてください。',
    en: 'The picture has too many pixels. It may have 50 million, counted over all frames of a GIF.',
  },
  picture_damaged: {
    ja: '画像が壊れているか、途中で切れています。保存し直した画像を使用してください。',
    en: 'The picture is damaged or cut off. Save it again and try with that.',
  },
  picture_costly: {
    ja: 'この画像の処理には時間がかかりすぎます。小さくするか、別の形式で保存し直してください。',
    en: 'The picture takes too long to process. Make it smaller, or save it in another format.',
  },
  too_many_pictures: {
    ja: '保存できる画像の上限に達しました。使わないリッチメニューを削除してください。',
    en: 'No more pictures can be stored. Delete rich menus you no longer need.',
  },
  webhook_signature_invalid: {
    ja: '送信元の署名を確認できませんでした。',
    en: 'The sender’s signature could not be verified.',
  },
  line_signature_invalid: {
    ja: 'LINEの署名を確認できませんでした。',
    en: 'The signature from LINE could not be verified.',
  },
  too_many_testers: {
    ja: 'テスト用のLINEアカウントは10人までです。',
    en: 'There can be up to 10 test LINE accounts.',
  },
  line_message_in_use: {
    ja: 'このLINEメッセージはキャンペーンまたはシナリオで使用中です。',
    en: 'This LINE message is in use by a campaign or scenario.',
  },
  line_message_changed_meanwhile: {
    ja: '編集中に、このLINEメッセージが別の画面で変更されていたため、保存しませんでした。入力した内容は残っています。',
    en: 'Not saved: this LINE message was changed elsewhere while you were editing. Your text is still here.',
  },
  line_message_refused: {
    ja: 'この内容はLINEで配信できません。入力内容を確認してください。',
    en: 'LINE does not accept this message. Check the highlighted fields.',
  },
  customer_exists: {
    ja: 'このメールアドレスの顧客はすでに存在します。',
    en: 'A customer with this email address already exists.',
  },
  customer_in_store_only: {
    ja: '顧客はストアに追加されましたが、サーバーの障害のため、Okaeriにはすべての内容を保存できませんでした。復旧すると自動で取り込まれます。住所と誕生日は、その後にもう一度入力してください。',
    en: 'The customer was added to the store, but Okaeri could not save everything because of a server problem. The customer will appear here once it is solved. Then enter the address and birthday again.',
  },
  customer_has_no_email: { ja: 'この顧客にはメールアドレスがありません。', en: 'This customer has no email address.' },

  metafield_in_use: {
    ja: 'このメタフィールドは使用中のため削除できません。',
    en: 'This metafield is in use and cannot be deleted.',
  },
  metafield_exists: {
    ja: '同じキーのメタフィールドがすでにあります。',
    en: 'There is already a metafield with this key.',
  },
  metafield_limit: {
    ja: 'メタフィールドは100件まで追加できます。',
    en: 'You can add up to 100 metafields.',
  },

  too_many_views: {
    ja: '保存できるビューは100件までです。不要なビューを削除してください。',
    en: 'You can save up to 100 views. Delete one you no longer need.',
  },
  selection_changed: {
    ja: '対象の顧客数が確認時から変わりました。人数を確認して、もう一度お試しください。',
    en: 'The number of customers has changed since you confirmed it. Check the number and try again.',
  },
  selection_too_large: {
    ja: '一度に変更できるのは10,000人までです。絞り込んでからお試しください。',
    en: 'At most 10,000 customers can be changed at once. Narrow the list and try again.',
  },
  too_many_tag_changes: {
    ja: 'タグの一括変更が進行中です。終わってからもう一度お試しください。',
    en: 'Other bulk tag changes are still in progress. Try again when they finish.',
  },

  too_many_segments: {
    ja: 'セグメントは500件、条件の大きさは合計10MBまでです。使っていないセグメントを削除してください。',
    en: 'Limit reached: 500 segments, or 10 MB of conditions in total. Delete segments you no longer need.',
  },

  already_suppressed: {
    ja: 'このメールアドレスはすでに配信除外リストにあります。',
    en: 'This address is already on the suppression list.',
  },
  suppression_lifted: {
    ja: 'この配信除外はすでに解除されています。',
    en: 'This suppression has already been lifted.',
  },

  segment_in_use: {
    ja: 'このセグメントはキャンペーンまたはシナリオで使用中です。',
    en: 'This segment is in use by a campaign or scenario.',
  },
  segment_remote_readonly: {
    ja: 'Shopifyセグメントは編集できません。',
    en: 'Remote segments from the store platform cannot be edited.',
  },
  condition_too_slow: {
    ja: '条件が複雑なため、時間内に集計できませんでした。条件を減らしてお試しください。',
    en: 'Too complex to count. Simplify the conditions.',
  },
  condition_invalid: { ja: '条件の設定を確認してください。', en: 'Please check the conditions.' },

  scenario_in_use: {
    ja: 'このシナリオは、セグメントまたはほかのシナリオの条件で使用中です。',
    en: 'This scenario is used in the conditions of a segment or another scenario.',
  },
  plan_forbids_flow_editor: {
    ja: '現在のプランではフローエディターを使えません。プランのアップグレードをご検討ください。',
    en: 'Your current plan does not include the flow editor. Please consider upgrading.',
  },
  // Spec §5, word for word.
  scenario_incomplete: {
    ja: 'シナリオの設定が完了していません（メールが未設定、設定に誤りがあるなど）。ご確認のうえ、もう一度有効にしてください。',
    en: 'Scenario settings are incomplete (email not configured/settings are incorrect, etc.). Please check and enable again.',
  },
  scenario_not_active: { ja: 'このシナリオは有効ではありません。', en: 'This scenario is not active.' },
  scenario_is_active: {
    ja: '有効なシナリオではできません。先に停止してください。',
    en: 'Stop the scenario first.',
  },
  scenario_not_in_form: {
    ja: 'フローエディターで編集したシナリオは、フォームでは変更できません。',
    en: 'Scenarios edited in the flow editor cannot be edited as a form.',
  },
  email_changed_meanwhile: {
    ja: '編集中に、同じ項目が別の画面で変更されていたため、保存しませんでした。入力した内容は残っています。',
    en: 'Not saved: the same field was changed elsewhere while you were editing. Your text is still here.',
  },
  scenario_changed_meanwhile: {
    ja: '編集中に別の人がフローを保存しました。読み込み直して、もう一度変更してください。',
    en: 'Someone else saved the flow while you were editing. Please reload and make your changes again.',
  },
  too_many_scenarios_active: {
    ja: '同時に有効にできるシナリオは200件、フローの大きさは合計10MBまでです。使っていないシナリオを停止してください。',
    en: 'Limit reached: 200 active scenarios, or 10 MB of flows in total. Stop scenarios you no longer need.',
  },
  scenario_not_manual: {
    ja: 'このシナリオは手動では開始できません。',
    en: 'This scenario cannot be started manually.',
  },
  step_not_held: {
    ja: 'このステップのメールは止められていません。画面を更新してください。',
    en: 'The emails of this step are not held back. Reload the page.',
  },
  scenario_not_braked: {
    ja: '開始を待っている顧客はいません。画面を更新してください。',
    en: 'No customers are on hold. Reload the page.',
  },
  execution_restarted_meanwhile: {
    ja: 'この実行は、別の画面ですでに最初からやり直されています。二重に届かないよう、何も行いませんでした。',
    en: 'This execution was already restarted elsewhere. Nothing was done, so that nothing is sent twice.',
  },
  people_changed: {
    ja: '対象の人数が変わりました。人数を確認して、もう一度開始してください。',
    en: 'The number of customers has changed. Check it and start again.',
  },
  people_still_entering: {
    ja: '前回の対象者がまだ開始の途中です。しばらくしてからお試しください。',
    en: 'Customers from the last start are still entering. Please try again in a moment.',
  },
  no_test_event: {
    ja: 'レスポンスを受信していません。イベントを選択してください。',
    en: 'No response received; select an event.',
  },
  execution_status_forbids: {
    ja: '現在のステータスではこの操作はできません。画面を更新してください。',
    en: 'Not possible in the current status. Reload the page.',
  },

  component_in_use: {
    ja: 'このパーツはメールまたは別のパーツで使用中です。',
    en: 'This component is in use by an email or another component.',
  },
  too_many_components: {
    ja: 'パーツは500件まで作成できます。使っていないパーツを削除してください。',
    en: 'You can have up to 500 components. Delete those you no longer use.',
  },
  draft_of_another_tab: {
    ja: '別のタブでも編集されています。',
    en: 'It is being edited in another tab, too.',
  },
  component_changed_meanwhile: {
    ja: '編集中に、同じ項目が別の画面で変更されていたため、保存しませんでした。入力した内容は残っています。',
    en: 'Not saved: the same field was changed elsewhere while you were editing. Your text is still here.',
  },
  email_in_use: {
    ja: 'このメールはキャンペーンまたはシナリオで使用中です。',
    en: 'This email is in use by a campaign or scenario.',
  },
  template_broken: {
    ja: '差し込みタグの書き方に誤りがあります。',
    en: 'The tags in this email are not written correctly.',
  },
  template_not_offered: {
    ja: '差し込みタグに使えない書き方があります。繰り返しの多いフィルターや範囲を別の書き方に変えてください。',
    en: 'A tag uses an unsupported filter or range. Write it another way.',
  },
  template_too_costly: {
    ja: '差し込みタグの処理が重すぎます。繰り返しを減らしてください。',
    en: 'The tags in this email are too complex. Use fewer loops.',
  },

  campaign_not_draft: { ja: '下書きのキャンペーンではありません。', en: 'This campaign is no longer a draft.' },
  campaign_not_editable: { ja: 'このキャンペーンは編集できません。', en: 'This campaign can no longer be edited.' },
  campaign_not_reserved: { ja: '予約中のキャンペーンではありません。', en: 'This campaign is not scheduled.' },
  campaign_sends_too_soon: {
    ja: '配信予定時刻の15分前を過ぎているため、予約をキャンセルできません。',
    en: 'A scheduled campaign cannot be cancelled within 15 minutes of its send time.',
  },
  campaign_not_undoable: {
    ja: '取り消せる時間を過ぎました。',
    en: 'It is too late to undo.',
  },
  finding_not_accepted: {
    ja: '配信前チェックの注意点に確認が必要です。確認画面からやり直してください。',
    en: 'The pre-send check found something that needs your OK. Please go back to the review.',
  },
  campaign_not_deletable: {
    ja: '配信中または予約中のキャンペーンは削除できません。',
    en: 'Scheduled or sending campaigns cannot be deleted.',
  },
  campaign_not_resyncable: { ja: 'このキャンペーンは再送できません。', en: 'This campaign has nothing to retry.' },
  campaign_not_resolvable: {
    ja: 'このキャンペーンは完了にできません。',
    en: 'This campaign cannot be marked as done.',
  },
  campaign_not_sending: {
    ja: 'このキャンペーンは配信中ではありません。',
    en: 'This campaign is not being sent.',
  },
  campaign_not_held_back: {
    ja: '残りの配信は待機していません。',
    en: 'The rest of this campaign is not being held back.',
  },
  coupons_not_failed: {
    ja: '作成できなかったクーポンコードはありません。',
    en: 'The store refused none of the codes.',
  },
  campaign_not_testing: { ja: 'A/Bテスト中ではありません。', en: 'No A/B test of this campaign is running.' },
  campaign_test_decided: {
    ja: 'A/Bテストはすでに決まっています。',
    en: 'This A/B test has already been decided.',
  },
  campaign_not_late: { ja: 'このキャンペーンは遅延していません。', en: 'This campaign is not late.' },
  campaign_changed_since_review: {
    ja: '確認後に配信対象の人数が変わりました。もう一度ご確認ください。',
    en: 'The number of recipients has changed since your review. Please review again.',
  },
  preflight_failed: { ja: '配信前チェックで問題が見つかりました。', en: 'The pre-send check found problems.' },
  reservation_in_past: { ja: '過去の日時は予約できません。', en: 'A reservation date cannot be in the past.' },
  audience_empty: { ja: '配信対象の顧客がいません。', en: 'This audience has no recipients.' },
  store_being_copied: {
    ja: 'ストアの同期が終わると配信できます。',
    en: 'You can send once the store sync finishes.',
  },
  nothing_uncertain: { ja: '到達不明の配信はありません。', en: 'No messages have an unknown outcome.' },

  import_too_large: {
    ja: 'ファイルが大きすぎます。500 MBまでのファイルに分けてください。',
    en: 'The file is too large. Split it into files of up to 500 MB.',
  },
  import_is_archive: {
    ja: '圧縮されたファイルです。展開して、中のCSVファイルを選んでください。',
    en: 'This file is compressed. Unpack it and choose the CSV file inside.',
  },
  import_is_spreadsheet: {
    ja: '表計算ソフトのファイルです。CSV形式で保存し直してください。',
    en: 'This is a spreadsheet. Save it as CSV first.',
  },
  import_is_binary: {
    ja: 'テキストのファイルではないため、読み取れません。CSVファイルを選んでください。',
    en: 'This is not a text file. Choose a CSV file.',
  },
  import_empty: { ja: 'ファイルが空です。', en: 'The file is empty.' },
  import_too_many_columns: {
    ja: '列が多すぎます。200列までのファイルにしてください。',
    en: 'The file has too many columns. Use up to 200.',
  },
  import_row_too_long: {
    ja: '最初の行が長すぎます。改行のあるCSVファイルか、引用符が閉じられているかを確認してください。',
    en: 'The first row is too long. Check that the file has line breaks and that its quotes are closed.',
  },
  import_not_waiting: {
    ja: 'この取り込みはすでに開始されています。',
    en: 'This import has already been started.',
  },
  import_too_many_waiting: {
    ja: '開始していない取り込みが多すぎます。開始するか削除してから、もう一度アップロードしてください。',
    en: 'Too many uploaded files are waiting. Start or delete some of them, then upload again.',
  },
  import_not_running: { ja: 'この取り込みは実行中ではありません。', en: 'This import is not running.' },
  import_running: {
    ja: '実行中の取り込みは削除できません。先に中止してください。',
    en: 'A running import cannot be deleted. Cancel it first.',
  },
  import_mapping_incomplete: {
    ja: '列の割り当てが完了していません。',
    en: 'Finish mapping the columns.',
  },

  link_invalid: { ja: 'このリンクは無効です。', en: 'This link is not valid.' },
}

export const fieldReasonTexts: Record<FieldReason, Localized> = {
  required: { ja: '必須項目を入力してください', en: 'Please fill in required fields' },
  too_short: { ja: '短すぎます', en: 'Too short' },
  too_long: { ja: '長すぎます', en: 'Too long' },
  too_small: { ja: '値が小さすぎます', en: 'The value is too small' },
  too_big: { ja: '値が大きすぎます', en: 'The value is too large' },
  not_a_number: { ja: '数値を入力してください', en: 'Please enter a number' },
  not_whole: { ja: '整数を入力してください', en: 'Please enter a whole number' },
  not_a_boolean: { ja: 'はい・いいえで指定してください', en: 'Please choose yes or no' },
  not_a_text: { ja: '文字で入力してください', en: 'Please enter text' },
  not_a_list: { ja: '一覧の形式が正しくありません', en: 'Enter a list' },
  not_an_object: { ja: '形式が正しくありません', en: 'Invalid format' },
  not_an_id: { ja: '選択し直してください', en: 'Please choose again' },
  not_a_date: { ja: '日時を正しく入力してください', en: 'Please enter a valid date' },
  in_future: { ja: '過去の日付を入力してください', en: 'Please enter a date in the past' },
  too_long_ago: { ja: '年を確認してください', en: 'Please check the year' },
  not_an_email: { ja: 'メールアドレスの形式が正しくありません', en: 'Invalid email format' },
  not_a_phone: { ja: '電話番号の形式が正しくありません', en: 'Invalid phone format' },
  not_below_domain: {
    ja: 'この差出人ドメインの下の名前を入力してください',
    en: 'Enter a name below this sender domain',
  },
  not_a_domain: { ja: 'ドメインの形式が正しくありません', en: 'Invalid domain name' },
  not_a_url: { ja: 'URLの形式が正しくありません', en: 'Invalid URL format' },
  not_a_timezone: { ja: 'タイムゾーンを選択してください', en: 'Please choose a time zone' },
  not_allowed: { ja: 'この値は使用できません', en: 'This value is not allowed' },
  unknown_field: { ja: '不明な項目です', en: 'Unknown field' },
  control_characters: {
    ja: '改行や制御文字は使用できません',
    en: 'Line breaks and control characters are not allowed',
  },
  in_past: { ja: '過去の日時は指定できません', en: 'A reservation date cannot be in the past' },
  not_found: { ja: '見つかりません。選択し直してください。', en: 'Not found. Please choose again.' },
  public_mail_domain: {
    ja: 'フリーメールのドメインは差出人として使用できません',
    en: 'Public mail services are not permitted as the sender domain',
  },
  template_syntax: { ja: '差し込みタグの書き方に誤りがあります', en: 'The tag is not written correctly' },
  component_key_form: {
    ja: '半角の英小文字・数字・ハイフンで、40文字以内で入力してください',
    en: 'Use lower-case letters, digits and hyphens, up to 40 characters',
  },
  taken: { ja: 'すでに使われています', en: 'Already in use' },
  metafield_key_form: {
    ja: 'namespace.key の形式で、半角英数字・ハイフン・アンダースコアのみで入力してください',
    en: 'Enter it as namespace.key, using letters, digits, underscores and hyphens only',
  },
  birthday_metafield_form: {
    ja: '誕生日のメタフィールドを namespace.key の形式で入力してください',
    en: 'Please enter the birthday metafield as namespace.key',
  },
  address_unconfirmed: { ja: '確認されていないアドレスです', en: 'Not confirmed yet' },
  too_common: {
    ja: 'よく使われるパスワードのため、推測されやすく使えません',
    en: 'This password is too common',
  },
  own_name: {
    ja: 'メールアドレスや名前、サイト名だけのパスワードは使えません',
    en: 'Do not use just your address, name or site name',
  },
  passwords_differ: { ja: 'パスワードが一致しません', en: 'The passwords do not match' },
  wrong_password: { ja: 'パスワードが違います', en: 'Wrong password' },
  circular: { ja: 'このセグメント自身に戻る条件は使えません', en: 'A segment cannot refer to itself' },
  too_deep: { ja: 'セグメントの参照は5段階までです', en: 'Segments can refer to each other 5 levels deep' },
  nested_too_deep: { ja: 'グループは10階層までです', en: 'Groups can be nested up to 10 levels' },
  too_many: { ja: '数が多すぎます', en: 'Too many' },
  too_large: { ja: 'サイズが大きすぎます', en: 'Too large' },
  not_as_many: {
    ja: 'ボタンの数をすべてのカードで同じにしてください',
    en: 'All cards need the same number of buttons',
  },
  all_or_none: {
    ja: 'すべてのカードに入れるか、すべて空欄にしてください',
    en: 'Fill this in for all cards, or for none',
  },
  not_json: { ja: 'JSONの形式が正しくありません', en: 'The JSON is not valid' },
  flex_invalid: {
    ja: 'Flex Messageとして正しくない箇所があります',
    en: 'Something in it is not valid for a Flex Message',
  },
  flex_too_deep: { ja: 'ボックスの入れ子は20階層までです', en: 'Boxes can be nested up to 20 levels' },
  not_a_tester: {
    ja: 'テスト用のLINEアカウントではないか、友だちではありません',
    en: 'This is not a test LINE account, or no longer a friend',
  },
  refused_by_line: { ja: 'LINEで使えない内容です', en: 'LINE does not accept this' },
  invalid: { ja: '正しくありません', en: 'Invalid value' },
}

export const isFieldReason = (value: string): value is FieldReason =>
  (fieldReasons as readonly string[]).includes(value)

/** For errors with a waiting time. */
function tryAgainIn(ms: number, language: Locale): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  const [value, unit] =
    seconds <= 90
      ? ([seconds, 'second'] as const)
      : seconds <= 5400
        ? ([Math.ceil(seconds / 60), 'minute'] as const)
        : ([Math.ceil(seconds / 3600), 'hour'] as const)
  const span = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
  return {
    ja: `操作が続いたため制限されています。${span.replaceAll(' ', '')}ほどたってから、もう一度お試しください。`,
    en: `Too many attempts. Please try again in about ${span}.`,
  }[language]
}

/** Any error as a sentence for a person, without the "Error:" in front. */
export function errorText(error: unknown, language: Locale = currentLanguage()): string {
  if (error instanceof ApiError && error.reason === 'rate_limited' && error.retryAfterMs !== null)
    return tryAgainIn(error.retryAfterMs, language)
  if (error instanceof ApiError) return reasonTexts[error.reason]?.[language] ?? reasonTexts.internal[language]
  return reasonTexts.internal[language]
}

export const fieldReasonText = (reason: string, language: Locale = currentLanguage()): string =>
  fieldReasonTexts[isFieldReason(reason) ? reason : 'invalid'][language]

const isReason = (text: string): text is Reason | 'network' => text in reasonTexts

/** A reason from an address, as text; an unknown one only says that something went wrong. */
export const reasonText = (reason: string, language: Locale = currentLanguage()): string =>
  reasonTexts[isReason(reason) ? reason : 'internal'][language]

/** {@link errorText} in the current language. */
export function useErrorText(): (error: unknown) => string {
  const language = useLanguage()
  return useCallback((error: unknown) => errorText(error, language), [language])
}
