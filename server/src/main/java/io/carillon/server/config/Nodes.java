package io.carillon.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Trees of YAML, laid over each other: sections are merged key by key, everything else of the
 * stronger one replaces that of the weaker. Every node keeps its mark, so that each value knows its
 * own source. Stateless.
 */
final class Nodes {
    private static final String IN_FILE = "-file";

    private Nodes() {}

    /** A scalar that comes from no file. */
    static ScalarNode scalar(String source, String text) {
        Optional<Mark> mark = Optional.of(new Mark(source, 0, 0, 0, new int[0], 0));
        return new ScalarNode(Tag.STR, true, text, ScalarStyle.PLAIN, mark, mark);
    }

    /** A list of what stands between commas. */
    static Node list(String source, String text) {
        List<Node> elements = new ArrayList<>();
        for (String element : text.split(",", -1)) {
            elements.add(scalar(source, element.strip()));
        }
        Optional<Mark> mark = elements.getFirst().getStartMark();
        return new SequenceNode(Tag.SEQ, true, elements, FlowStyle.FLOW, mark, mark);
    }

    /** The stronger tree over the weaker one. */
    static @Nullable Node merge(@Nullable Node weak, @Nullable Node strong) {
        if (strong == null || (Tag.NULL.equals(strong.getTag()) && weak instanceof MappingNode)) {
            return weak;
        }
        if (!(weak instanceof MappingNode under) || !(strong instanceof MappingNode over)) {
            return strong;
        }
        List<NodeTuple> merged = new ArrayList<>(under.getValue());
        int before = merged.size();
        boolean[] taken = new boolean[before];
        for (NodeTuple tuple : over.getValue()) {
            String key = key(tuple);
            int at = key == null ? -1 : index(merged, key, before, taken);
            if (at < 0) {
                merged.add(tuple);
            } else {
                Node value = merge(merged.get(at).getValueNode(), tuple.getValueNode());
                merged.set(
                        at,
                        new NodeTuple(
                                tuple.getKeyNode(), value == null ? tuple.getValueNode() : value));
                taken[at] = true;
            }
        }
        for (NodeTuple tuple : over.getValue()) {
            String other = otherForm(key(tuple));
            if (inside(over, other) == null) {
                merged.removeIf(one -> other.equals(key(one)));
            }
        }
        return mapping(merged, over.getStartMark());
    }

    /** A secret is given by itself or in a file; the stronger source decides which. */
    private static String otherForm(@Nullable String key) {
        String word = key == null ? "" : key;
        return word.endsWith(IN_FILE)
                ? word.substring(0, word.length() - IN_FILE.length())
                : word + IN_FILE;
    }

    private static int index(List<NodeTuple> tuples, String key, int before, boolean[] taken) {
        for (int i = 0; i < before; i++) {
            if (!taken[i] && key.equals(key(tuples.get(i)))) {
                return i;
            }
        }
        return -1;
    }

    /**
     * A value at its place, in sections that are made where they are missing.
     *
     * @param path words, and {@code [3]} for elements of lists
     * @throws IllegalArgumentException naming the element that would follow nothing
     */
    static Node put(@Nullable Node root, List<String> path, Node value) {
        if (path.isEmpty()) {
            Node merged = merge(root, value);
            return merged == null ? value : merged;
        }
        String step = path.getFirst();
        List<String> rest = path.subList(1, path.size());
        if (step.startsWith("[")) {
            int index = Integer.parseInt(step.substring(1, step.length() - 1));
            List<Node> elements =
                    root instanceof SequenceNode list
                            ? new ArrayList<>(list.getValue())
                            : new ArrayList<>();
            if (index > elements.size()) {
                throw new IllegalArgumentException(
                        "the list has "
                                + elements.size()
                                + " elements, counted from 0; the next one is "
                                + elements.size());
            }
            Node before = index < elements.size() ? elements.remove(index) : null;
            elements.add(index, put(before, rest, value));
            return new SequenceNode(
                    Tag.SEQ,
                    true,
                    elements,
                    FlowStyle.FLOW,
                    value.getStartMark(),
                    value.getEndMark());
        }
        Node under = root instanceof MappingNode section ? inside(section, step) : null;
        Node made =
                mapping(
                        List.of(
                                new NodeTuple(
                                        scalar(source(value), step), put(under, rest, value))),
                        value.getStartMark());
        Node merged = merge(root, made);
        return merged == null ? made : merged;
    }

    /** The value of a key in a section; null where there is none. */
    static @Nullable Node inside(MappingNode section, String word) {
        for (NodeTuple tuple : section.getValue()) {
            if (word.equals(key(tuple))) {
                return tuple.getValueNode();
            }
        }
        return null;
    }

    /** The words of the keys of a section at a path; none where there is no section. */
    static List<String> words(@Nullable Node root, List<String> path) {
        Node at = root;
        for (String step : path) {
            at = at instanceof MappingNode section ? inside(section, step) : null;
        }
        List<String> words = new ArrayList<>();
        if (at instanceof MappingNode section) {
            for (NodeTuple tuple : section.getValue()) {
                String word = key(tuple);
                if (word != null) {
                    words.add(word);
                }
            }
        }
        return words;
    }

    private static MappingNode mapping(List<NodeTuple> tuples, Optional<Mark> mark) {
        return new MappingNode(Tag.MAP, true, tuples, FlowStyle.BLOCK, mark, mark);
    }

    private static @Nullable String key(NodeTuple tuple) {
        return tuple.getKeyNode() instanceof ScalarNode word ? word.getValue() : null;
    }

    /** The name of the source that a node comes from. */
    static String source(Node node) {
        return node.getStartMark().map(Mark::getName).orElse("");
    }
}
