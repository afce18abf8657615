package io.carillon.it.site;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.node.Text;

/** The names that links reach headings by, as forges make them. Of one page. */
final class Headings extends AbstractVisitor {
    private final Map<Node, String> names = new LinkedHashMap<>();
    private final Map<String, Integer> taken = new HashMap<>();
    private String title = "";

    private Headings() {}

    static Headings of(Node page) {
        Headings headings = new Headings();
        page.accept(headings);
        return headings;
    }

    @Override
    public void visit(Heading heading) {
        String text = text(heading);
        if (title.isEmpty()) {
            title = text;
        }
        String slug =
                text.toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-');
        int before = taken.merge(slug, 1, Integer::sum) - 1;
        names.put(heading, before == 0 ? slug : slug + "-" + before);
    }

    /** Null for what is no heading. */
    Map<Node, String> names() {
        return names;
    }

    /** The first heading. */
    String title() {
        return title;
    }

    static String text(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(
                new AbstractVisitor() {
                    @Override
                    public void visit(Text one) {
                        text.append(one.getLiteral());
                    }

                    @Override
                    public void visit(Code one) {
                        text.append(one.getLiteral());
                    }
                });
        return text.toString();
    }
}
