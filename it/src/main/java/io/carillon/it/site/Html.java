package io.carillon.it.site;

/** Text in HTML. Stateless. */
final class Html {
    private Html() {}

    static String text(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** In an attribute. */
    static String attribute(String text) {
        return text(text).replace("\"", "&quot;");
    }
}
