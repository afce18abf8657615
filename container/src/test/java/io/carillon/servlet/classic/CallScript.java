package io.carillon.servlet.classic;

import java.util.ArrayList;
import java.util.List;

/**
 * A script read into its steps. A step begins at the margin; the lines of its message are indented
 * by two spaces; {@code #} at the margin begins a comment.
 */
record CallScript(String name, List<Step> steps) {
    /**
     * @param line where it stands in the file, from 1
     * @param words what stands at the margin
     * @param text the lines of the message, without their indentation
     */
    record Step(int line, List<String> words, List<String> text) {
        String verb() {
            return words.getFirst();
        }

        /** The word behind another one; a default without it. */
        String after(String word, String otherwise) {
            int at = words.indexOf(word);
            return at < 0 ? otherwise : words.get(at + 1);
        }
    }

    static CallScript read(String name, String content) {
        List<Step> steps = new ArrayList<>();
        List<String> text = new ArrayList<>();
        String[] lines = content.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i];
            if (line.startsWith("  ")) {
                text.add(line.substring(2));
            } else if (line.isEmpty()) {
                text.add("");
            } else if (!line.startsWith("#")) {
                text = new ArrayList<>();
                steps.add(new Step(i + 1, List.of(line.trim().split("\\s+")), text));
            }
        }
        for (Step step : steps) {
            while (!step.text().isEmpty() && step.text().getLast().isEmpty()) {
                step.text().removeLast();
            }
        }
        return new CallScript(name, List.copyOf(steps));
    }
}
