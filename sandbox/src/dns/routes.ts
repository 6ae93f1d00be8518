import type { FastifyInstance } from 'fastify'
import { acceptOwnForms, refuse } from '../http.ts'
import { escapeHtml, languageOf, page, sandboxNavigation, type Localized, type SandboxLanguage } from '../page.ts'
import type { SandboxDns } from './server.ts'
import { plainName, recordTypes, type DnsRecord, type RecordType } from './zone.ts'

const recordSchema = {
  type: 'object',
  required: ['name', 'type', 'value'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255 },
    type: { enum: [...recordTypes] },
    value: { type: 'string', minLength: 1, maxLength: 8000 },
  },
}
const nameSchema = { type: 'object', properties: { name: { type: 'string', maxLength: 255 } } }
const idSchema = { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } }

interface Given {
  name: string
  type: RecordType
  value: string
}

/** The records of the played DNS, as a page for people (`/dns`) and as JSON for tests. */
export async function mountDns(app: FastifyInstance, { zone, port }: SandboxDns): Promise<void> {
  function add(given: Given): void {
    const record = { ...given, name: plainName(given.name), value: given.value.trim() }
    const wrong = whatIsWrong(record)
    if (wrong) throw refuse(422, 'record_invalid', wrong)
    zone.add(record)
  }
  await app.register(async (scope) => {
    await acceptOwnForms(scope)

    scope.get('/dns', async (request, reply) => {
      const language = languageOf(request, reply)
      reply.type('text/html; charset=utf-8')
      return dnsPage({ records: zone.list(), port, language })
    })
    scope.post<{ Body: Given }>('/dns', { schema: { body: recordSchema } }, async (request, reply) => {
      add(request.body)
      return reply.redirect('/dns', 303)
    })
    scope.post<{ Params: { id: number } }>(
      '/dns/:id/delete',
      { schema: { params: idSchema } },
      async (request, reply) => {
        zone.remove(request.params.id)
        return reply.redirect('/dns', 303)
      },
    )

    scope.get('/dns.json', async () => ({ data: zone.list() }))
    scope.post<{ Body: Given }>('/dns.json', { schema: { body: recordSchema } }, async (request) => {
      add(request.body)
      return { data: zone.list() }
    })
    scope.delete<{ Querystring: { name?: string } }>(
      '/dns.json',
      { schema: { querystring: nameSchema } },
      async (request) => {
        zone.clear(request.query.name)
        return { data: zone.list() }
      },
    )
  })
}

const nameShape = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/

function whatIsWrong({ name, type, value }: Given): string | null {
  if (!nameShape.test(name)) return 'That is no name of DNS: letters, digits, hyphens and underscores between dots.'
  if (type === 'MX' && !/^\d{1,5}\s+\S+$/.test(value))
    return 'An MX record is a preference and a host: 10 mx.example.jp'
  if (type === 'CNAME' && !nameShape.test(plainName(value))) return 'A CNAME record names another name.'
  if (type === 'A' && !/^\d{1,3}(\.\d{1,3}){3}$/.test(value)) return 'An A record is an IPv4 address.'
  if (type === 'AAAA' && !/^[0-9a-f:]{2,39}$/i.test(value)) return 'An AAAA record is an IPv6 address.'
  return null
}

function dnsPage({
  records,
  port,
  language,
}: {
  records: readonly DnsRecord[]
  port: number
  language: SandboxLanguage
}): string {
  const t = (texts: Localized) => texts[language]
  const title = 'DNS'
  const rows = records
    .map(
      ({
        id,
        name,
        type,
        value,
      }) => `<tr><td class="mono nowrap">${escapeHtml(name)}</td><td class="nowrap">${type}</td>
<td class="mono">${escapeHtml(value)}</td>
<td class="num"><form method="post" action="/dns/${id}/delete" class="inline"><button class="small danger" aria-label="${t({ ja: '削除', en: 'Delete' })}: ${escapeHtml(`${name} ${type}`)}">${t({ ja: '削除', en: 'Delete' })}</button></form></td></tr>`,
    )
    .join('')
  const body = `<h1>${title}</h1>
<p class="muted">${t({
    ja: `すべてのドメインの DNS レコードです。Okaeri は 127.0.0.1:${port}（UDP と TCP）に問い合わせます。`,
    en: `The DNS records of every domain. Okaeri asks 127.0.0.1:${port} (UDP and TCP).`,
  })}</p>
<section class="card"><h2>${t({ ja: 'レコードを追加', en: 'Add a record' })}</h2>
<form method="post" action="/dns">
<p><label for="name">${t({ ja: '名前', en: 'Name' })}</label><input type="text" id="name" name="name" required maxlength="255" size="48" autocomplete="off" placeholder="_dmarc.example.jp"></p>
<p><label for="type">${t({ ja: '種類', en: 'Type' })}</label><select id="type" name="type">${recordTypes.map((type) => `<option>${type}</option>`).join('')}</select></p>
<p><label for="value">${t({ ja: '値', en: 'Value' })}</label><textarea id="value" name="value" required maxlength="8000" rows="3" cols="64"></textarea></p>
<button class="primary">${t({ ja: '追加', en: 'Add' })}</button>
</form></section>
${
  records.length === 0
    ? `<div class="empty">${t({ ja: 'レコードはまだありません。', en: 'There are no records yet.' })}</div>`
    : `<div class="table-wrap"><table><thead><tr><th>${t({ ja: '名前', en: 'Name' })}</th><th>${t({ ja: '種類', en: 'Type' })}</th><th>${t({ ja: '値', en: 'Value' })}</th><th></th></tr></thead><tbody>${rows}</tbody></table></div>`
}
<section class="card"><h2>${t({ ja: '特別な名前', en: 'Names that misbehave' })}</h2>
<p class="muted">${t({
    ja: 'ラベルのどれかがこの語である名前（例：<code>silent.example.jp</code>）は、決まった失敗をします。',
    en: 'A name one of whose labels is one of these words (<code>silent.example.jp</code>) fails in its own way.',
  })}</p>
<div class="table-wrap"><table><tbody>${misbehaving.map(([word, effect]) => `<tr><th scope="row" class="mono">${word}</th><td>${t(effect)}</td></tr>`).join('')}</tbody></table></div></section>`
  return page({ title, body, lang: language, nav: sandboxNavigation(language, 'dns') })
}

const misbehaving: readonly [word: string, effect: Localized][] = [
  ['servfail', { ja: 'SERVFAIL を返します', en: 'Answers SERVFAIL' }],
  ['refused', { ja: 'REFUSED を返します', en: 'Answers REFUSED' }],
  ['silent', { ja: '応答しません', en: 'Does not answer' }],
  ['slow', { ja: '5 秒遅れて応答します', en: 'Answers 5 seconds late' }],
  ['garbage', { ja: 'DNS ではないデータを返します', en: 'Answers what is not DNS' }],
]
