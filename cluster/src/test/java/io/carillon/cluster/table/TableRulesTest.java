package io.carillon.cluster.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Voters of two builds make the same tables of the same changes. */
class TableRulesTest {
    private static final String RECORDED = "changes-036eadf25.txt";

    @Test
    void changesComeToWhatAnEarlierBuildMadeOfThem() throws IOException {
        TableMachine machine = new TableMachine(PartitionTable.of(96, new int[] {0, 1, 2, 3, 4}));
        int line = 0;
        for (String recorded : recorded()) {
            line++;
            if (recorded.startsWith("#")) {
                continue;
            }
            String change = recorded.substring(0, recorded.indexOf(' '));
            machine.apply(HexFormat.of().parseHex(change));
            assertThat(change + ' ' + of(machine.table())).as("line %d", line).isEqualTo(recorded);
        }
        assertThat(machine.unread()).isZero();
        assertThat(machine.table().version()).isEqualTo(481);
    }

    private static String of(PartitionTable table) {
        byte[] bytes = table.toBytes();
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return table.version() + " " + bytes.length + " " + Long.toHexString(sum.getValue());
    }

    private static List<String> recorded() throws IOException {
        try (InputStream in = TableRulesTest.class.getResourceAsStream(RECORDED)) {
            assertThat(in).as(RECORDED).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
