package io.carillon.lab.overload;

/**
 * A line of the verdict.
 *
 * @param subject what was looked at
 * @param measured what came out, with its unit
 * @param wanted what it had to be; empty where nothing is asked, as of the contrast
 * @param kept whether it was
 */
record Line(String subject, String measured, String wanted, boolean kept) {
    /** A figure of which nothing is asked. */
    static Line told(String subject, String measured) {
        return new Line(subject, measured, "", true);
    }

    boolean judged() {
        return !wanted.isEmpty();
    }

    @Override
    public String toString() {
        String mark = judged() ? kept ? "ok    " : "SHORT " : "      ";
        return mark + subject + ": " + measured + (judged() ? " (" + wanted + ")" : "");
    }
}
