package io.carillon.server.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes secrets out of what is shown of a configuration. Stateless. */
public final class Masks {
    private static final Pattern PASSWORD =
            Pattern.compile("((?:password|passwd|pwd|secret)=)[^;&]*", Pattern.CASE_INSENSITIVE);
    private static final Pattern USER = Pattern.compile("(//[^/@:]*:)[^/@]+@");
    private static final Pattern SECRETS =
            Pattern.compile(
                    "(?:password|passwd|pwd|secret)=([^;&]*)|//[^/@:]*:([^/@]+)@",
                    Pattern.CASE_INSENSITIVE);
    private static final Pattern SECRET_NAME =
            Pattern.compile(
                    ".*(pass|pwd|secret|token|credential|private|api[-_.]?key).*|(.*[-_.])?key");

    private Masks() {}

    /** A URL without the passwords in it. */
    public static String url(String url) {
        return USER.matcher(PASSWORD.matcher(url).replaceAll("$1" + Secret.SHOWN))
                .replaceAll("$1" + Secret.SHOWN + "@");
    }

    /** The passwords in a URL: of its parameters the first group, of its user the second. */
    static Matcher secretsOf(String url) {
        return SECRETS.matcher(url);
    }

    /** Whether a parameter of an application is likely to be a secret, by its name. */
    static boolean secretName(String name) {
        return SECRET_NAME.matcher(name.toLowerCase(Locale.ROOT)).matches();
    }
}
