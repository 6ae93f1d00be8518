/** Of the installation (PUBLIC_URL): whoever deploys the extension writes it here. */
export const ADDRESS = 'https://okaeri.example'
