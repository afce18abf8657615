package io.carillon.lab.study;

import java.util.Locale;

/** Figures in text: the same on every machine, whatever its language. */
public final class FigureText {
    private FigureText() {}

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency of its own
    public static String format(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
