//! The company itself: sites, machines, prices, people and rules, as they stand in its fact files.
//!
//! The amounts are chosen so that a device-hour of November is a round figure; the names say that it is an example.

/// Watts of the hosts of `bj-n1` and `bj-n2` beside their cards.
pub const HOST_W: [u32; 2] = [1200, 900];

/// Cards per owned node.
pub const CARDS: u32 = 4;

/// Yuan per kWh in 1e-4, by month and level: October, then November.
pub const PRICES: [(&str, [u64; 2]); 3] = [
    ("peak", [12_000, 11_000]),
    ("flat", [8_000, 7_500]),
    ("valley", [4_000, 3_500]),
];

/// Files that are written out as they stand here.
pub const FILES: &[(&str, &str)] = &[
    (
        "sites.csv",
        "\
site,name,kind,zone,region,pue_default,tariff
bj,示例·北京机房 (example),owned,Asia/Shanghai,北京,1.35,example-tou
sh-cloud,示例·上海云 (example),cloud,Asia/Shanghai,上海,,
",
    ),
    (
        "nodes.csv",
        "\
node,site,ownership,valid_from,valid_to
bj-n1,bj,owned,2026-10-01,2026-12-01
bj-n2,bj,owned,2026-10-01,2026-12-01
sh-n1,sh-cloud,cloud,2026-10-01,2026-12-01
",
    ),
    (
        "devices.csv",
        "\
device,node,slot,model,valid_from,valid_to
bj-n1/0,bj-n1,0,H800 SXM,2026-10-01,2026-12-01
bj-n1/1,bj-n1,1,H800 SXM,2026-10-01,2026-12-01
bj-n1/2,bj-n1,2,H800 SXM,2026-10-01,2026-12-01
bj-n1/3,bj-n1,3,H800 SXM,2026-10-01,2026-12-01
bj-n2/0,bj-n2,0,A800 SXM,2026-10-01,2026-12-01
bj-n2/1,bj-n2,1,A800 SXM,2026-10-01,2026-12-01
bj-n2/2,bj-n2,2,A800 SXM,2026-10-01,2026-12-01
bj-n2/3,bj-n2,3,A800 SXM,2026-10-01,2026-12-01
sh-n1/0,sh-n1,0,H20,2026-10-01,2026-12-01
sh-n1/1,sh-n1,1,H20,2026-10-01,2026-12-01
",
    ),
    (
        "device_models.csv",
        "\
model,aliases,vendor,memory_gib,tdp_w,peak_bf16_tflops,source,confidence
H800 SXM,NVIDIA H800,nvidia,80,700,989,model database llm-cal,B
A800 SXM,NVIDIA A800-SXM4-80GB,nvidia,80,400,312,vendor datasheet,B
H20,NVIDIA H20,nvidia,96,400,148,vendor datasheet,B
",
    ),
    (
        "assets.csv",
        "\
asset,name,site,nodes,price,in_service,life_months,residual_rate,method,start_rule
a-bj-n1,示例服务器一 (example),bj,bj-n1,1620000.00,2023-11-20,36,0.04,straight_line,next_month
a-bj-n2,示例服务器二 (example),bj,bj-n2,864000.00,2022-11-20,48,0.04,straight_line,next_month
",
    ),
    (
        "recurring.csv",
        "\
charge,name,site,nodes,component,amount,from_month,to_month
rack,机柜租金,bj,*,rent,14400.00,2026-10,2026-11
line,专线,bj,*,network,4320.00,2026-10,2026-11
operators,运维人员,bj,,staff,30000.00,2026-10,2026-11
support,厂商支持,bj,,support,10000.00,2026-10,2026-11
",
    ),
    (
        "tariffs.csv",
        "\
tariff,from,to,months,days,slot,level
example-tou,2026-01-01,,1-12,all,10:00-15:00,peak
example-tou,2026-01-01,,1-12,all,18:00-21:00,peak
example-tou,2026-01-01,,1-12,all,23:00-07:00,valley
",
    ),
    (
        "tariff_prices.csv",
        "\
tariff,month,level,price_per_kwh
example-tou,2026-10,peak,1.20
example-tou,2026-10,flat,0.80
example-tou,2026-10,valley,0.40
example-tou,2026-11,peak,1.10
example-tou,2026-11,flat,0.75
example-tou,2026-11,valley,0.35
",
    ),
    (
        "price_book.csv",
        "\
site,model,ownership,price_per_device_hour,currency,from,to
sh-cloud,H20,cloud,20.00,CNY,2026-10-01,2026-12-01
",
    ),
    (
        "teams.csv",
        "\
team,name,cost_center
fm,示例·基础模型组 (example),CC-100
app,示例·应用组 (example),CC-200
",
    ),
    (
        "projects.csv",
        "\
project,name,team
pretrain,预训练,fm
align,对齐微调,fm
chat,对话服务,app
search,检索问答,app
",
    ),
    (
        "people.csv",
        "\
person,name,team,email
zhangsan,张三,fm,zhangsan@example.com
lisi,李四,fm,lisi@example.com
wangwu,王五,app,wangwu@example.com
zhaoliu,赵六,app,zhaoliu@example.com
",
    ),
    (
        "rules.csv",
        "\
order,rule,match,project,person
1,chat-service,label.app=chat,chat,
2,search-service,label.app=search,search,
3,align-queue,queue=align,align,
4,notebooks,queue=notebook;user=lisi,align,lisi
5,evaluations,user=wangwu,search,wangwu
",
    ),
    (
        "policies.csv",
        "\
pool,policy,from_month
shared,by_cost,2026-10
",
    ),
    (
        "coverage.csv",
        "\
source,scope,name,kind,start,end
example-slurm,site,bj,scheduler,2026-10-01T00:00:00+08:00,2026-12-01T00:00:00+08:00
example-k8s,site,sh-cloud,scheduler,2026-10-01T00:00:00+08:00,2026-12-01T00:00:00+08:00
",
    ),
    (
        "node_states.csv",
        "\
node,start,end,state
bj-n1,2026-10-20T08:00:00+08:00,2026-10-20T20:00:00+08:00,maintenance
",
    ),
    (
        "meters.csv",
        "\
meter,site,node,role
bj-facility,bj,,facility
bj-it,bj,,it
bj-n1-power,bj,bj-n1,node
bj-n2-power,bj,bj-n2,node
",
    ),
];

/// The tariff level of an hour of the day.
pub const fn level(hour_of_day: u32) -> &'static str {
    match hour_of_day {
        10..15 | 18..21 => "peak",
        23 | 0..7 => "valley",
        _ => "flat",
    }
}

/// The hours in which `bj-n1` is under maintenance, cards off.
pub const fn is_maintenance(hour: u32) -> bool {
    let start = super::calendar::october(20, 8);
    hour >= start && hour < start + 12
}
