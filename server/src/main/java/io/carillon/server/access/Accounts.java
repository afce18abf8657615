package io.carillon.server.access;

import io.carillon.server.control.ControlFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of administrators and their tokens, on top of {@link AccountFile}. Any thread;
 * blocks for its file and for hashes of passwords.
 */
public final class Accounts {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,64}");
    private static final int SHORTEST_PASSWORD = 12;
    private static final int LONGEST_PASSWORD = 200;
    private static final int MOST_ACCOUNTS = 1_000;
    private static final int MOST_TOKENS = 50;
    private static final int LONGEST_LABEL = 100;
    private static final Duration LONGEST_TOKEN = Duration.ofDays(366);

    private final AccountFile file;
    private final Passwords passwords;
    private final Clock clock;

    /** As the command line and the server use them. */
    public Accounts(AccountFile file) {
        this(file, new Passwords(), Clock.systemUTC());
    }

    Accounts(AccountFile file, Passwords passwords, Clock clock) {
        this.file = file;
        this.passwords = passwords;
        this.clock = clock;
    }

    /** It could not be done; the message is a sentence for the user. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final ControlFailure.Kind kind;

        Refused(ControlFailure.Kind kind, String message) {
            super(message);
            this.kind = kind;
        }

        Refused(String message, Throwable cause) {
            super(message, cause);
            this.kind = ControlFailure.Kind.BUSY;
        }

        /** Whose fault it is. */
        public ControlFailure.Kind kind() {
            return kind;
        }
    }

    /**
     * An account, without what stands for its password.
     *
     * @param name it has
     * @param roles in words
     * @param created when, ISO 8601
     * @param tokens that it has and that still count
     */
    public record Shown(String name, List<String> roles, String created, int tokens) {}

    /**
     * A token, without itself.
     *
     * @param id by which it is revoked
     * @param account whose it is
     * @param roles fewer than the account's; empty: those of the account
     * @param label what it is for
     * @param created when, ISO 8601
     * @param expires when, ISO 8601
     */
    public record ShownToken(
            String id,
            String account,
            List<String> roles,
            String label,
            String created,
            String expires) {}

    /**
     * A token that was just made: the only time that it can be read.
     *
     * @param token itself
     * @param shown what is kept of it
     */
    public record Made(String token, ShownToken shown) {}

    /** Is there none? Then nobody may do anything. */
    public boolean none() throws Refused {
        return file.read().accounts().isEmpty();
    }

    /** All accounts by name. */
    public List<Shown> list() throws Refused {
        AccountFile.Content content = file.read();
        return content.accounts().stream().map(one -> shown(content, one)).toList();
    }

    private Shown shown(AccountFile.Content content, AccountFile.Account one) {
        long tokens =
                content.tokens().stream()
                        .filter(token -> token.account().equals(one.name()) && alive(token))
                        .count();
        return new Shown(one.name(), one.roles(), one.created(), (int) tokens);
    }

    private boolean alive(AccountFile.Token token) {
        return clock.instant().isBefore(Instant.parse(token.expires()));
    }

    /** The roles of an account; null when there is none of that name. */
    public @Nullable Set<Role> roles(String name) throws Refused {
        AccountFile.Account account = file.read().account(name);
        return account == null ? null : Role.of(account.roles());
    }

    /** Makes an account. */
    public Shown add(String name, Set<Role> roles, String password) throws Refused {
        if (!NAME.matcher(name).matches()) {
            throw new Refused(
                    ControlFailure.Kind.BAD,
                    "a name has 1 to 64 of the characters A-Z a-z 0-9 . _ @ -, which '"
                            + name
                            + "' has not");
        }
        String hash = hash(password);
        List<String> words = words(roles);
        return file.change(content -> {
            if (content.account(name) != null) {
                throw new Refused(
                        ControlFailure.Kind.REFUSED, "there is an account " + name + " already");
            }
            if (content.accounts().size() >= MOST_ACCOUNTS) {
                throw new Refused(
                        ControlFailure.Kind.REFUSED,
                        "there are " + MOST_ACCOUNTS + " accounts, which is the most");
            }
            AccountFile.Account made =
                    new AccountFile.Account(name, words, hash, clock.instant().toString());
            return new AccountFile.Changed<>(content.with(made), shown(content, made));
        });
    }

    private static List<String> words(Set<Role> roles) throws Refused {
        if (roles.isEmpty()) {
            throw new Refused(
                    ControlFailure.Kind.BAD,
                    "an account has at least one role of " + Role.words(Set.of(Role.values())));
        }
        return Role.list(roles);
    }

    private String hash(String password) throws Refused {
        if (password.length() < SHORTEST_PASSWORD || password.length() > LONGEST_PASSWORD) {
            throw new Refused(
                    ControlFailure.Kind.BAD,
                    "a password has "
                            + SHORTEST_PASSWORD
                            + " to "
                            + LONGEST_PASSWORD
                            + " characters, this one has "
                            + password.length());
        }
        return passwords.hash(password);
    }

    /** Gives it another password; its sessions end. */
    public Shown password(String name, String password) throws Refused {
        String hash = hash(password);
        return replaced(
                name, one -> new AccountFile.Account(one.name(), one.roles(), hash, one.created()));
    }

    /** Gives it these roles and no others. */
    public Shown roles(String name, Set<Role> roles) throws Refused {
        List<String> words = words(roles);
        return replaced(
                name,
                one -> new AccountFile.Account(one.name(), words, one.password(), one.created()));
    }

    private interface Replacement {
        AccountFile.Account of(AccountFile.Account before);
    }

    private Shown replaced(String name, Replacement replacement) throws Refused {
        return file.change(content -> {
            AccountFile.Account next = replacement.of(known(content, name));
            AccountFile.Content after = content.without(name).with(next);
            keepAnAdmin(content, after);
            return new AccountFile.Changed<>(after, shown(after, next));
        });
    }

    /** Takes an account away, with its tokens. */
    public Shown remove(String name) throws Refused {
        return file.change(content -> {
            AccountFile.Account gone = known(content, name);
            AccountFile.Content after = content.without(name).withoutTokensOf(name);
            keepAnAdmin(content, after);
            return new AccountFile.Changed<>(after, shown(after, gone));
        });
    }

    private static AccountFile.Account known(AccountFile.Content content, String name)
            throws Refused {
        AccountFile.Account found = content.account(name);
        if (found == null) {
            throw new Refused(
                    ControlFailure.Kind.NOT_FOUND,
                    "there is no account " + name + " (./carillon admin list)");
        }
        return found;
    }

    private static void keepAnAdmin(AccountFile.Content before, AccountFile.Content after)
            throws Refused {
        if (before.admins() > 0 && after.admins() == 0) {
            throw new Refused(
                    ControlFailure.Kind.REFUSED,
                    "it is the last account with the role admin, which stays");
        }
    }

    // ---- tokens ----

    /** Tokens of one account, or of all for null; those that are over too. */
    public List<ShownToken> tokens(@Nullable String account) throws Refused {
        return file.read().tokens().stream()
                .filter(one -> account == null || one.account().equals(account))
                .map(Accounts::shown)
                .toList();
    }

    private static ShownToken shown(AccountFile.Token one) {
        return new ShownToken(
                one.id(), one.account(), one.roles(), one.label(), one.created(), one.expires());
    }

    /**
     * Makes a token.
     *
     * @param roles fewer than the account's; empty: those of the account, as they are at each use
     * @param label what it is for; may be empty
     * @param lives how long it counts
     */
    public Made token(String account, Set<Role> roles, String label, Duration lives)
            throws Refused {
        if (lives.isNegative() || lives.isZero() || lives.compareTo(LONGEST_TOKEN) > 0) {
            throw new Refused(
                    ControlFailure.Kind.BAD,
                    "a token lives for at least 1 s and at most "
                            + LONGEST_TOKEN.toDays()
                            + " days");
        }
        if (label.length() > LONGEST_LABEL || label.chars().anyMatch(Character::isISOControl)) {
            throw new Refused(
                    ControlFailure.Kind.BAD,
                    "a label has at most " + LONGEST_LABEL + " characters, all printable");
        }
        BearerToken made = BearerToken.random();
        return file.change(content -> {
            AccountFile.Account owner = known(content, account);
            Set<Role> own = Role.of(owner.roles());
            for (Role role : roles) {
                if (!role.within(own)) {
                    throw new Refused(
                            ControlFailure.Kind.BAD,
                            account + " has not the role " + role.word() + " and cannot lend it");
                }
            }
            List<AccountFile.Token> kept = new ArrayList<>();
            int others = 0;
            for (AccountFile.Token one : content.tokens()) {
                if (alive(one)) {
                    kept.add(one);
                    others += one.account().equals(account) ? 1 : 0;
                }
            }
            if (others >= MOST_TOKENS) {
                throw new Refused(
                        ControlFailure.Kind.REFUSED,
                        account
                                + " has "
                                + MOST_TOKENS
                                + " tokens, which is the most; revoke one before");
            }
            Instant now = clock.instant();
            AccountFile.Token one =
                    new AccountFile.Token(
                            made.id(),
                            account,
                            made.hash(),
                            Role.list(roles),
                            label,
                            now.toString(),
                            now.plus(lives).toString());
            kept.add(one);
            return new AccountFile.Changed<>(
                    content.withTokens(kept), new Made(made.text(), shown(one)));
        });
    }

    /** Revokes a token: its next request is refused. */
    public ShownToken revoke(String id) throws Refused {
        return file.change(content -> {
            for (AccountFile.Token one : content.tokens()) {
                if (one.id().equals(id)) {
                    List<AccountFile.Token> rest = new ArrayList<>(content.tokens());
                    rest.remove(one);
                    return new AccountFile.Changed<>(content.withTokens(rest), shown(one));
                }
            }
            throw new Refused(
                    ControlFailure.Kind.NOT_FOUND,
                    "there is no token " + id + " (./carillon admin tokens)");
        });
    }

    // ---- who is it? ----

    /** Whose token it is; null: nobody's, or of the past. */
    public @Nullable Caller bearer(String text) throws Refused {
        BearerToken given = BearerToken.read(text);
        if (given == null) {
            return null;
        }
        AccountFile.Content content = file.read();
        for (AccountFile.Token one : content.tokens()) {
            if (one.id().equals(given.id())) {
                AccountFile.Account owner = content.account(one.account());
                if (owner == null || !given.is(one.hash()) || !alive(one)) {
                    return null;
                }
                return new Caller(owner.name(), roles(one, owner), "token", null, one.id());
            }
        }
        return null;
    }

    /** What the account has lost since, its token has not. */
    private static Set<Role> roles(AccountFile.Token token, AccountFile.Account owner) {
        Set<Role> own = Role.of(owner.roles());
        if (token.roles().isEmpty()) {
            return own;
        }
        Set<Role> lent = Role.of(token.roles());
        lent.removeIf(role -> !role.within(own));
        return lent;
    }

    /** Whether that is the password; takes as long for an account that is not there. */
    public boolean password(String name, char[] given) throws Refused {
        AccountFile.Account account = file.read().account(name);
        return passwords.matches(given, account == null ? null : account.password());
    }

    /** What changes with the account's password: sessions of another one are over. */
    public @Nullable String stamp(String name) throws Refused {
        AccountFile.Account account = file.read().account(name);
        return account == null ? null : account.password();
    }
}
