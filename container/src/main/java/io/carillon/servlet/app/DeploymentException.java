package io.carillon.servlet.app;

import org.jspecify.annotations.Nullable;

/**
 * An archive, a descriptor or a class which cannot be deployed. The message is one line: {@code
 * FILE:LINE: <element>: rule}, so that a reader knows what to change without reading a stack trace.
 */
public final class DeploymentException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final int line;
    private final @Nullable String element;
    private final String rule;

    /**
     * @param file archive, or archive and the file inside it, joined by {@code !/}
     * @param line line of the element, from 1, or 0 when there is none to name
     * @param element element, annotation or class at fault, as the author wrote it
     * @param rule what should have been
     */
    public DeploymentException(
            String file,
            int line,
            @Nullable String element,
            String rule,
            @Nullable Throwable cause) {
        super(text(file, line, element, rule), cause);
        this.file = file;
        this.line = line;
        this.element = element;
        this.rule = rule;
    }

    public DeploymentException(String file, int line, @Nullable String element, String rule) {
        this(file, line, element, rule, null);
    }

    public DeploymentException(String file, String rule) {
        this(file, 0, null, rule, null);
    }

    private static String text(String file, int line, @Nullable String element, String rule) {
        StringBuilder text = new StringBuilder(file);
        if (line > 0) {
            text.append(':').append(line);
        }
        text.append(": ");
        if (element != null) {
            text.append(element).append(": ");
        }
        return oneLine(text.append(rule).toString());
    }

    /** Names and messages come from archives: what would break the line, or a terminal, goes. */
    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean control = Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
            line.append(control ? ' ' : c);
        }
        return line.toString();
    }

    /** The archive, or the file inside it. */
    public String file() {
        return file;
    }

    /** Line of the element, from 1; 0 when the fault has no line. */
    public int line() {
        return line;
    }

    /** Element, annotation or class at fault. */
    public @Nullable String element() {
        return element;
    }

    /** What should have been. */
    public String rule() {
        return rule;
    }
}
