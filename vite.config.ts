// How the lab is served and built: React, ES-module Workers, and paths relative to the page so that the build can be
// hosted in any folder.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  build: { target: 'es2023' },
});
