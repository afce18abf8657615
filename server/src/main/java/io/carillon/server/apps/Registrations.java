package io.carillon.server.apps;

import io.carillon.servlet.app.Application;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * Who is registered, as applications say that are registrars: one puts a function into its context
 * as the attribute {@link #ATTRIBUTE}. It is of the JDK's types alone, since an application has
 * class loaders of its own. It gets {@code text} (what has to be in a row, in whatever case; may be
 * empty), {@code limit} (rows at most) and {@code after} (the {@code place} of the row before;
 * empty for the first), and gives rows in the order of their places, with the keys that {@link Row}
 * has. Any thread; waits for the application.
 */
public final class Registrations {
    /** Name of the attribute. */
    public static final String ATTRIBUTE = "io.carillon.registrations";

    private static final int LONGEST = 2_000;

    private final Supplier<Map<String, ServletContext>> contexts;

    /**
     * @param contexts of the applications, by their names
     */
    public Registrations(Supplier<Map<String, ServletContext>> contexts) {
        this.contexts = contexts;
    }

    /** Of deployed applications. */
    public static Registrations of(Supplier<List<Application>> applications) {
        return new Registrations(() -> {
            Map<String, ServletContext> contexts = new TreeMap<>();
            applications.get().forEach(one -> contexts.put(one.name(), one.context()));
            return contexts;
        });
    }

    /**
     * One contact of somebody.
     *
     * @param application the registrar
     * @param aor address of record
     * @param contact its URI
     * @param expires when, ISO 8601
     * @param updated when it was last refreshed, ISO 8601; may be empty
     * @param q of the contact
     * @param instance of the user agent (RFC 5626); may be empty
     * @param path on the way to it (RFC 3327); may be empty
     */
    public record Row(
            String application,
            String aor,
            String contact,
            String expires,
            String updated,
            String q,
            String instance,
            String path) {}

    /**
     * A page of them.
     *
     * @param registrars applications that say who is registered
     * @param rows in the order of applications, then of their places
     * @param next where the next page begins; null: there is none
     */
    public record Page(List<String> registrars, List<Row> rows, @Nullable String next) {}

    /** An application has failed at it; the message is a sentence for the user. */
    public static final class Failure extends Exception {
        private static final long serialVersionUID = 1L;

        Failure(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Lists them.
     *
     * @param after {@link Page#next} of the page before; empty: the first page
     */
    public Page list(String text, int limit, String after) throws Failure {
        int blank = after.indexOf(' ');
        String from = blank < 0 ? "" : after.substring(0, blank);
        String place = blank < 0 ? "" : after.substring(blank + 1);
        Map<String, Function<?, ?>> registrars = registrars();
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<String, Function<?, ?>> one : registrars.entrySet()) {
            String name = one.getKey();
            if (name.compareTo(from) < 0) {
                continue;
            }
            Map<String, String> question = new LinkedHashMap<>();
            question.put("text", text);
            question.put("limit", Integer.toString(limit - rows.size() + 1));
            question.put("after", name.equals(from) ? place : "");
            String last = null;
            for (Map<?, ?> row : asked(name, one.getValue(), question)) {
                if (rows.size() == limit) {
                    return new Page(
                            List.copyOf(registrars.keySet()),
                            rows,
                            last == null ? after(name, "") : after(name, last));
                }
                rows.add(row(name, row));
                last = value(row, "place");
            }
        }
        return new Page(List.copyOf(registrars.keySet()), rows, null);
    }

    private static String after(String application, String place) {
        return application + " " + place;
    }

    private Map<String, Function<?, ?>> registrars() {
        Map<String, Function<?, ?>> found = new TreeMap<>();
        contexts.get()
                .forEach((name, context) -> {
                    if (context.getAttribute(ATTRIBUTE) instanceof Function<?, ?> function) {
                        found.put(name, function);
                    }
                });
        return found;
    }

    private static List<Map<?, ?>> asked(
            String name, Function<?, ?> registrar, Map<String, String> question) throws Failure {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(registrar.getClass().getClassLoader());
        try {
            @SuppressWarnings("unchecked") // it takes what the attribute's contract says, or throws
            Object answer = ((Function<Object, Object>) registrar).apply(question);
            List<Map<?, ?>> rows = new ArrayList<>();
            if (answer instanceof List<?> all) {
                for (Object one : all) {
                    if (one instanceof Map<?, ?> row) {
                        rows.add(row);
                    }
                }
            }
            return rows;
        } catch (RuntimeException | LinkageError e) {
            throw new Failure(
                    "the application " + name + " cannot say who is registered: " + e.getMessage(),
                    e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Row row(String application, Map<?, ?> row) {
        return new Row(
                application,
                value(row, "aor"),
                value(row, "contact"),
                value(row, "expires"),
                value(row, "updated"),
                value(row, "q"),
                value(row, "instance"),
                value(row, "path"));
    }

    private static String value(Map<?, ?> row, String key) {
        Object value = row.get(key);
        String text = value == null ? "" : value.toString();
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
