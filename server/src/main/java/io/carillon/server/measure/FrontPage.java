package io.carillon.server.measure;

import io.carillon.sip.bytes.LogText;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a browser shows at {@code /}: that the server runs, what is deployed, where its pages are,
 * and what to try next. No script, nothing from elsewhere.
 */
public final class FrontPage {
    private static final String STYLE =
            """
            :root { color-scheme: light dark; --line: #8884; --dim: #5d6571; }
            @media (prefers-color-scheme: dark) { :root { --dim: #a6aeb9; } }
            body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1.5rem; }
            h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
            p { margin: .25rem 0; } .dim { color: var(--dim); }
            dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; margin: 1.5rem 0; }
            dl div { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .9rem; }
            dt { color: var(--dim); font-size: .85rem; } dd { font-size: 1.5rem; margin: 0; }
            ul { list-style: none; padding: 0; margin: 0; } li { border-top: 1px solid var(--line); padding: .4rem 0; }
            code { font: .9rem ui-monospace, monospace; overflow-wrap: anywhere; }
            .wrong { border-left: .3rem solid #c33; padding-left: .8rem; }
            """;

    private FrontPage() {}

    /** The page. */
    public static String html(ServerStatus s) {
        StringBuilder out = new StringBuilder(4096);
        out.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width\">\n")
                .append("<link rel=\"icon\" href=\"data:,\">\n")
                .append("<title>Carillon</title>\n<style>\n")
                .append(STYLE)
                .append("</style></head><body>\n<h1>Carillon is ")
                .append(text(s.state()))
                .append("</h1>\n<p class=\"dim\">Version ")
                .append(text(s.version()))
                .append(", process ")
                .append(s.pid())
                .append(", SIP at ")
                .append(text(String.join(", ", s.sip())))
                .append("</p>\n");
        String noDatabase = s.databaseFailure();
        if (noDatabase != null) {
            out.append("<p class=\"wrong\">").append(text(noDatabase)).append("</p>\n");
        }
        if (s.overload().shedding() || !s.overload().late().isEmpty()) {
            out.append(
                    "<p class=\"wrong\">Overloaded: new calls are refused"
                            + " (<code>./carillon status</code>)</p>\n");
        }
        out.append("<dl>\n");
        figure(out, "Calls held", Long.toString(s.calls().held()));
        figure(out, "Calls per second", String.format(Locale.ROOT, "%.1f", s.calls().perSecond()));
        figure(out, "Calls started", Long.toString(s.calls().started()));
        figure(out, "Load", s.overload().load() + " of 100");
        figure(out, "Slow handlers", Integer.toString(s.slowHandlers().size()));
        out.append("</dl>\n<h2>Applications</h2>\n");
        if (s.applications().isEmpty()) {
            out.append("<p>None is deployed: <code>./carillon deploy APP.war</code></p>\n");
        } else {
            list(out, s.applications().stream().map(name -> application(s, name)).toList());
        }
        out.append("<h2>Try</h2>\n");
        list(out, tries(s));
        out.append("<h2>Look</h2>\n");
        list(
                out,
                List.of(
                        "<a href=\"/console/\">/console/</a> the console: calls, ladders,"
                                + " applications, configuration, log",
                        "<a href=\"/status\">/status</a> all figures as JSON, also by"
                                + " <code>./carillon status</code>",
                        "<a href=\"/metrics\">/metrics</a> for Prometheus",
                        "<code>./carillon calls</code> the calls that are held",
                        "<code>./carillon trace on --all</code> and then <code>./carillon trace"
                                + " USER</code> a call as a ladder"));
        return out.append("</body></html>\n").toString();
    }

    private static void figure(StringBuilder out, String name, String value) {
        out.append("<div><dt>").append(name).append("</dt><dd>").append(value);
        out.append("</dd></div>\n");
    }

    /** Its name, and a link where it has pages: an application's path ends with its name. */
    private static String application(ServerStatus s, String name) {
        for (String page : s.pages()) {
            if (page.endsWith("/" + name)) {
                String path = text(link(s, page)) + "/";
                return text(name) + " <a href=\"" + path + "\">" + path + "</a>";
            }
        }
        return text(name);
    }

    /**
     * The path alone where this page comes from the same place: the browser knows it by a name of
     * its own, and by 0.0.0.0 it would find itself.
     */
    private static String link(ServerStatus s, String page) {
        String own = "http://" + s.http() + "/";
        return page.startsWith(own) ? page.substring(own.length() - 1) : page;
    }

    private static List<String> tries(ServerStatus s) {
        String udp =
                s.sip().stream()
                        .filter(point -> point.startsWith("udp:"))
                        .map(point -> point.substring("udp:".length()))
                        .findFirst()
                        .orElse("");
        String called = s.applications().contains("uas") ? "uas" : "NAME";
        return udp.isEmpty()
                ? List.of("Dial <code>sip:" + called + "@HOST</code> with a softphone")
                : List.of(
                        "Dial <code>sip:" + called + "@" + text(udp) + "</code> with a softphone",
                        "<code>sipp "
                                + text(udp)
                                + " -sn uac -s "
                                + called
                                + " -r 100 -m 1000</code> calls 1,000 times");
    }

    private static void list(StringBuilder out, List<String> rows) {
        out.append(
                rows.stream()
                        .map(row -> "<li>" + row + "</li>\n")
                        .collect(Collectors.joining("", "<ul>\n", "</ul>\n")));
    }

    private static String text(String raw) {
        return LogText.safe(raw)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
