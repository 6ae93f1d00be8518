/** Mails as servers write them, written for these tests; line ends become CRLF. */
const mail = (text: string): Buffer => Buffer.from(text.replace(/^\n/, '').replaceAll('\n', '\r\n'))

/** RFC 3464, as Postfix and most others write it. */
export const dsn = (one: {
  recipient?: string
  original?: string
  action?: string
  status?: string
  diagnostic?: string
  server?: string
  words?: string
  returned?: string
  to?: string
}): Buffer => {
  const { recipient = 'hanako@example.jp', original = recipient, action = 'failed', status = '5.1.1' } = one
  const {
    diagnostic = `550 5.1.1 <${recipient}>: Recipient address rejected: User unknown`,
    server = 'mx.example.jp',
  } = one
  const { returned = 'Message-ID: <abc@shop.example>', to = 'bounces@shop.example' } = one
  return mail(`
Return-Path: <>
Date: Thu, 26 Nov 2026 10:00:00 +0900
From: MAILER-DAEMON@relay.example (Mail Delivery System)
To: ${to}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="A1/relay.example"

This is a MIME-encapsulated message.

--A1/relay.example
Content-Type: text/plain; charset=us-ascii

This is the mail system at host relay.example.

${one.words ?? `<${recipient}>: host ${server}[192.0.2.1] said: ${diagnostic} (in reply to RCPT TO command)`}

--A1/relay.example
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.example
Arrival-Date: Thu, 26 Nov 2026 09:59:58 +0900

Final-Recipient: rfc822; ${recipient}
Original-Recipient: rfc822;${original}
Action: ${action}
Status: ${status}
Remote-MTA: dns; ${server}
Diagnostic-Code: smtp; ${diagnostic}

--A1/relay.example
Content-Type: text/rfc822-headers

From: shop@shop.example
To: ${original}
${returned}

--A1/relay.example--
`)
}

export const arf = (type: string, returned = 'Message-ID: <abc@shop.example>'): Buffer =>
  mail(`
From: <complaints@isp.example>
Date: Thu, 26 Nov 2026 10:00:00 +0900
Subject: FW: Sale
To: bounces@shop.example
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="B2"

--B2
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report.
--B2
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: Feedback/1.0
Version: 1
Original-Rcpt-To: <hanako@example.jp>
Source-IP: 192.0.2.9

--B2
Content-Type: message/rfc822

From: shop@shop.example
To: hanako@example.jp
${returned}

Hello
--B2--
`)

const free = (head: string, text: string): Buffer => mail(`${head}\n\n${text}\n`)

export const freeForms = {
  exim: free(
    'X-Failed-Recipients: hanako@example.jp\nAuto-Submitted: auto-replied\nFrom: Mail Delivery System <Mailer-Daemon@relay.example>\nSubject: Mail delivery failed: returning message to sender',
    'This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  hanako@example.jp\n    SMTP error from remote mail server after RCPT TO:<hanako@example.jp>:\n    host mx.example.jp [192.0.2.1]: 550 No such user here\n\n------ This is a copy of the message, including all the headers. ------\n\nMessage-ID: <abc@shop.example>\nSubject: Spam or not?',
  ),
  qmail: free(
    'Return-Path: <>\nFrom: MAILER-DAEMON@relay.example\nSubject: failure notice',
    "Hi. This is the qmail-send program at relay.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<hanako@example.jp>:\n192.0.2.1 does not like recipient.\nRemote host said: 552 5.2.2 Mailbox is over quota\nGiving up on 192.0.2.1.\n\n--- Below this line is a copy of the message.\n\nMessage-ID: <abc@shop.example>",
  ),
  exchange: free(
    'From: <postmaster@example.jp>\nSubject: Undeliverable: Sale\nAuto-Submitted: auto-replied',
    "Delivery has failed to these recipients or groups:\n\nhanako@example.jp\nThe email address you entered couldn't be found.\n\nDiagnostic information for administrators:\n\nGenerating server: mail.example.jp\n\nhanako@example.jp\nRemote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'\n\nOriginal message headers:\n\nReceived: from relay.example\nMessage-ID: <abc@shop.example>",
  ),
  yahoo: free(
    'Return-Path: <>\nFrom: MAILER-DAEMON@yahoo.co.jp\nSubject: Failure Notice',
    "Sorry, we were unable to deliver your message to the following address.\n\n<hanako@yahoo.co.jp>:\nRemote host said:\n554 delivery error: dd This user doesn't have a yahoo.co.jp account (hanako@yahoo.co.jp) [0]\n [RCPT_TO]\n\n--- Below this line is a copy of the message.\n\nMessage-ID: <abc@shop.example>",
  ),
  au: Buffer.concat([
    mail(
      'Return-Path: <>\nFrom: Postmaster@ezweb.ne.jp\nSubject: Mail System Error - Returned Mail\nMIME-Version: 1.0\nContent-Type: text/plain; charset="ISO-2022-JP"\n\n',
    ),
    // 次のあて先への, in ISO-2022-JP.
    Buffer.from('\u001B$B<!$N$"$F@h$X$N\u001B(B\r\n', 'latin1'),
    mail(
      '\nEach of the following recipients was rejected by a remote\nmail server.\n\n    Recipient: <hanako@ezweb.ne.jp>\n    >>> RCPT TO:<hanako@ezweb.ne.jp>\n    <<< 550 <hanako@ezweb.ne.jp>: User unknown\n',
    ),
  ]),
  kddiFull: free(
    'From: no-reply@dion.ne.jp\nSubject: メールエラー通知\nContent-Type: text/plain; charset=utf-8',
    '送信先のメールボックスが一杯のため、送信できませんでした。\n\n     Could not be delivered to: <hanako@dion.ne.jp>\n     As their mailbox is full.',
  ),
  vacation: free(
    'From: 山田 <hanako@example.jp>\nSubject: 自動返信：休業のお知らせ\nAuto-Submitted: auto-replied\nContent-Type: text/plain; charset=utf-8',
    '12月1日まで休業しています。お急ぎの方はお電話ください。',
  ),
  person: free(
    'From: 山田 <hanako@example.jp>\nSubject: Re: 新作のお知らせ\nContent-Type: text/plain; charset=utf-8',
    '届いた商品が壊れていました。交換できますか。',
  ),
}
