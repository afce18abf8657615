package io.carillon.pojo.engine;

/**
 * A pattern in which {@code *} stands for any text, none too. Immutable.
 *
 * @param text the pattern
 */
record Glob(String text) {
    /** How exact it is. */
    int literals() {
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != '*') {
                count++;
            }
        }
        return count;
    }

    /** Linear but for stars, of which each is tried again at most once per character. */
    boolean matches(String value) {
        int at = 0;
        int pattern = 0;
        int star = -1;
        int mark = 0;
        while (at < value.length()) {
            if (pattern < text.length() && text.charAt(pattern) == '*') {
                star = pattern++;
                mark = at;
            } else if (pattern < text.length() && text.charAt(pattern) == value.charAt(at)) {
                pattern++;
                at++;
            } else if (star >= 0) {
                pattern = star + 1;
                at = ++mark;
            } else {
                return false;
            }
        }
        while (pattern < text.length() && text.charAt(pattern) == '*') {
            pattern++;
        }
        return pattern == text.length();
    }

    /** Is there any text that matches both? Of the deployment: quadratic. */
    boolean intersects(Glob other) {
        String a = text;
        String b = other.text;
        boolean[][] meets = new boolean[a.length() + 1][b.length() + 1];
        for (int i = a.length(); i >= 0; i--) {
            for (int j = b.length(); j >= 0; j--) {
                meets[i][j] = meet(a, i, b, j, meets);
            }
        }
        return meets[0][0];
    }

    private static boolean meet(String a, int i, String b, int j, boolean[][] meets) {
        boolean starA = i < a.length() && a.charAt(i) == '*';
        boolean starB = j < b.length() && b.charAt(j) == '*';
        if (starA && (meets[i + 1][j] || (j < b.length() && meets[i][j + 1]))) {
            return true;
        }
        if (starB && (meets[i][j + 1] || (i < a.length() && meets[i + 1][j]))) {
            return true;
        }
        if (i == a.length() || j == b.length()) {
            return i == a.length() && j == b.length();
        }
        return !starA && !starB && a.charAt(i) == b.charAt(j) && meets[i + 1][j + 1];
    }
}
