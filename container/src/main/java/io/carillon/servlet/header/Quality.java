package io.carillon.servlet.header;

/** The q values of RFC 3261 25.1 in thousandths, without floating point. Stateless; any thread. */
public final class Quality {
    private Quality() {}

    /**
     * {@code qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )}
     *
     * @return 0 to 1000, or -1 when the text is none
     */
    public static int parse(String text) {
        int length = text.length();
        if (length == 0 || length > 5 || text.charAt(0) < '0' || text.charAt(0) > '1') {
            return -1;
        }
        if (length > 1 && text.charAt(1) != '.') {
            return -1;
        }
        int value = (text.charAt(0) - '0') * 1000;
        int weight = 100;
        for (int i = 2; i < length; i++, weight /= 10) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value += digit * weight;
        }
        return value > 1000 ? -1 : value;
    }

    /** Shortest form with at least one decimal: 0.5, 1.0, 0.125. */
    public static String print(int thousandths) {
        if (thousandths >= 1000) {
            return "1.0";
        }
        int digits = thousandths;
        int places = 3;
        while (places > 1 && digits % 10 == 0) {
            digits /= 10;
            places--;
        }
        StringBuilder out = new StringBuilder(5).append("0.");
        String text = Integer.toString(digits);
        return out.repeat('0', places - text.length()).append(text).toString();
    }
}
