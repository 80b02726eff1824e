// Made by build/theme-tokens.ts.
declare module 'virtual:tokens.css';
