/** The version of the package `tinyserve`; the bundler puts the text in its place (see build.py). */
declare const TINYSERVE_VERSION: string;
