package io.carillon.servlet.members;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds the API, the tests that prove it and docs/reference/sip-servlet-members.md together. */
class MemberTableTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "reference/sip-servlet-members.md");

    @Test
    void the_artifact_has_as_many_members_as_are_documented() throws Exception {
        assertThat(Member.all()).hasSize(529);
    }

    @Test
    void tests_name_members_that_exist() throws Exception {
        SortedSet<String> unknown = new TreeSet<>(Proofs.byMember().keySet());
        unknown.removeAll(Member.all().keySet());
        unknown.remove(Proves.CONSTANTS);
        assertThat(unknown).as("named by @Proves, but no member of the API").isEmpty();
    }

    @Test
    void one_test_is_about_each_member() throws Exception {
        SortedSet<String> wrong = new TreeSet<>();
        for (Map.Entry<String, Proofs> proof : Proofs.byMember().entrySet()) {
            if (proof.getValue().about().size() != 1) {
                wrong.add(
                        proof.getKey()
                                + ": "
                                + proof.getValue().about().stream().map(Proofs::test).toList());
            }
        }
        assertThat(wrong).as("members that not exactly one test is about").isEmpty();
    }

    @Test
    void every_member_has_a_test_or_is_pending() throws Exception {
        SortedSet<String> missing = new TreeSet<>();
        SortedMap<String, Proofs> proofs = Proofs.byMember();
        for (Member member : Member.all().values()) {
            if (!proofs.containsKey(key(member))) {
                missing.add(member.name());
            }
        }
        assertThat(Proofs.pending())
                .as("members without a test against %s", Proofs.PENDING)
                .isEqualTo(missing);
    }

    @Test
    void the_table_is_current() throws Exception {
        String document = render();
        if ("write".equals(System.getProperty("carillon.docs"))) {
            Files.writeString(DOCUMENT, document);
        }
        assertThat(Files.readString(DOCUMENT))
                .as(
                        "docs/reference/sip-servlet-members.md is stale; write it with -Dcarillon.docs=write")
                .isEqualTo(document);
    }

    private static String key(Member member) {
        return member.constant() ? Proves.CONSTANTS : member.name();
    }

    private static String render() throws Exception {
        SortedMap<String, Member> members = Member.all();
        SortedMap<String, Proofs> proofs = Proofs.byMember();
        long proved = members.values().stream().filter(m -> proofs.containsKey(key(m))).count();
        StringBuilder out = new StringBuilder();
        out.append("# Members of the SIP Servlet API and the tests that prove them\n\n");
        out.append("Made by `MemberTableTest` from the API artifact and the tests' `@Proves`; ");
        out.append("do not edit.\nTypes are relative to `javax.servlet.sip`, tests to ");
        out.append("`container/src/test`. Two constants are documented under other spellings ");
        out.append("(`SC_DOES_NOT_EXIT_ANYWHERE`, `SC_TEMPORARLY_UNAVAILABLE`) than here.\n");
        out.append("[How a test is shown to prove its member](../guides/testkit.md#members).\n\n");
        out.append(proved).append(" of ").append(members.size());
        out.append(" members have a test, ").append(members.size() - proved);
        out.append(" are pending.\n");
        String type = "";
        for (Member member : members.values()) {
            String owner = member.name().substring(0, member.name().indexOf('#'));
            if (!owner.equals(type)) {
                out.append("\n## ")
                        .append(owner)
                        .append("\n| Member | Test about it | Also proved by |\n");
                out.append("| --- | --- | --- |\n");
                type = owner;
            }
            out.append("| `").append(member.name().substring(owner.length() + 1)).append("` | ");
            Proofs tests = proofs.get(key(member));
            out.append(tests == null ? "pending" : names(tests.about())).append(" | ");
            out.append(tests == null ? "" : names(tests.also())).append(" |\n");
        }
        return out.toString();
    }

    private static String names(List<Method> tests) {
        return tests.stream()
                .map(test -> '`' + Proofs.test(test) + '`')
                .collect(Collectors.joining(", "));
    }
}
