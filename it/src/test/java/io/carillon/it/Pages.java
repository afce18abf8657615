package io.carillon.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages of the documentation as their readers see them. Stateless. */
final class Pages {
    static final Path ROOT = Path.of("..");
    private static final int LONGEST_SENTENCE = 35;
    private static final int LONGEST_CELL = 25;
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\"");

    private Pages() {}

    /** README and all of docs, by their paths from the root. */
    static List<Path> all() throws IOException {
        List<Path> all = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> found = Files.walk(ROOT.resolve("docs"))) {
            found.filter(one -> one.toString().endsWith(".md")).sorted().forEach(all::add);
        }
        return all;
    }

    /** All, and what lies beside examples and in what is given to users: with commands too. */
    static List<Path> withCommands() throws IOException {
        List<Path> all = new ArrayList<>(all());
        for (String folder : List.of("examples", "dist", "bench", "lab")) {
            try (Stream<Path> found = Files.walk(ROOT.resolve(folder))) {
                found.filter(one -> one.getFileName().toString().equals("README.md"))
                        .filter(one -> !one.toString().contains("node_modules"))
                        .sorted()
                        .forEach(all::add);
            }
        }
        return all;
    }

    /** Sentences of more than 35 words, outside of tables and code. */
    static List<String> longSentences(String page) {
        List<String> found = new ArrayList<>();
        StringBuilder paragraph = new StringBuilder();
        for (String line : prose(page).split("\n", -1)) {
            boolean ends =
                    line.isBlank()
                            || line.startsWith("#")
                            || line.startsWith("|")
                            || line.matches("\\s*([-*]|\\d+\\.) .*");
            if (ends) {
                sentences(paragraph.toString(), found);
                paragraph.setLength(0);
            }
            if (!line.startsWith("#") && !line.startsWith("|")) {
                paragraph.append(line).append(' ');
            }
        }
        sentences(paragraph.toString(), found);
        return found;
    }

    private static void sentences(String paragraph, List<String> found) {
        for (String sentence : paragraph.split("(?<=[.!?:;])\\s+", -1)) {
            if (words(sentence) > LONGEST_SENTENCE) {
                found.add(sentence.strip());
            }
        }
    }

    /** Cells of tables of more than 25 words. */
    static List<String> longCells(String page) {
        List<String> found = new ArrayList<>();
        for (String line : prose(page).split("\n", -1)) {
            if (line.startsWith("|")) {
                for (String cell : line.split("(?<!\\\\)\\|", -1)) {
                    if (words(cell) > LONGEST_CELL) {
                        found.add(cell.strip());
                    }
                }
            }
        }
        return found;
    }

    /** Tables that are shown as text, as no line below the first one says where columns are. */
    static List<String> tablesWithoutHead(String page) {
        List<String> found = new ArrayList<>();
        String before = "";
        String[] lines = prose(page).split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            boolean first = lines[i].startsWith("|") && !before.startsWith("|");
            if (first && !(i + 1 < lines.length && lines[i + 1].matches("\\|( *:?-+:? *\\|)+ *"))) {
                found.add(lines[i]);
            }
            before = lines[i];
        }
        return found;
    }

    private static int words(String text) {
        String plain = LINK.matcher(text).replaceAll("]").strip();
        return plain.isEmpty() ? 0 : plain.split("\\s+", -1).length;
    }

    /** Links of a page that lead to no file, or to no heading. */
    static List<String> deadLinks(Path page, String text) throws IOException {
        List<String> dead = new ArrayList<>();
        Matcher link = LINK.matcher(prose(text).replaceAll("`[^`\n]*`", "`"));
        while (link.find()) {
            String target = link.group(1);
            if (target.contains("://") || target.startsWith("mailto:")) {
                continue;
            }
            int hash = target.indexOf('#');
            String file = hash < 0 ? target : target.substring(0, hash);
            Path at = file.isEmpty() ? page : page.resolveSibling(file).normalize();
            boolean there = Files.exists(at);
            if (there && hash >= 0 && at.toString().endsWith(".md")) {
                there = anchors(Files.readString(at)).contains(target.substring(hash + 1));
            }
            if (!there) {
                dead.add(target);
            }
        }
        return dead;
    }

    /** As they are made of headings: small letters, no punctuation, "-" for blanks. */
    private static Set<String> anchors(String page) {
        Set<String> anchors = new HashSet<>();
        Matcher named = ANCHOR.matcher(page);
        while (named.find()) {
            anchors.add(named.group(1));
        }
        for (String line : prose(page).split("\n", -1)) {
            if (line.startsWith("#")) {
                String heading = LINK.matcher(line.replaceFirst("^#+ ", "")).replaceAll("]");
                String slug =
                        heading.toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                                .replace(' ', '-');
                String once = slug;
                for (int again = 1; !anchors.add(once); again++) {
                    once = slug + "-" + again;
                }
            }
        }
        return anchors;
    }

    /** Without blocks of code. */
    private static String prose(String page) {
        return page.replaceAll("(?ms)^[ ]*```.*?^[ ]*```[ ]*$", "")
                .replaceAll("(?s)<!--.*?-->", "");
    }
}
